// main() of a fuzz target outside libFuzzer: runs every file of the folders and files given, once.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
    if (!fs::is_directory(path)) { return {path}; }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file()) { files.push_back(entry.path()); }
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool run(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::cerr << "cannot read " << path << '\n';
        return false;
    }
    const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    // A copy of exact size on the heap, so that a sanitizer sees a read past the end.
    std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    input.shrink_to_fit();
    LLVMFuzzerTestOneInput(input.data(), input.size());
    return true;
}

} // namespace

int main(int argc, char** argv) {
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i) {
        for (const auto& path : files_of(argv[i])) {
            // Named before it runs: if it crashes, the last line says which file did it.
            std::cout << path.string() << std::endl;
            if (!run(path)) { return 1; }
            ++count;
        }
    }
    std::cout << count << " inputs\n";
    return count == 0 ? 1 : 0; // an empty corpus tests nothing
}
