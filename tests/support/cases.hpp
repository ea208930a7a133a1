/// @file cases.hpp
/// Texts out of files of cases, whatever else is in these: for sweeps that ask of a text only that it is one.
#pragma once

#include <jsonheal/document.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t sweep_share =
    5; ///< a sanitizer makes each text twenty times as dear: one of five is run
#else
inline constexpr std::size_t sweep_share = 1;
#endif

/// The files of a folder that may hold cases, sorted.
inline std::vector<std::filesystem::path> case_files(const std::string& folder) {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const auto extension = entry.path().extension();
        if (entry.is_regular_file() && (extension == ".json" || extension == ".jsonl")) {
            out.push_back(entry.path());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

/// The values of a file: of `.json` the one, of `.jsonl` one a line.
inline std::vector<jsonheal::document> documents_in(const std::filesystem::path& path) {
    std::vector<jsonheal::document> out;
    std::ifstream in(path, std::ios::binary);
    if (path.extension() == ".jsonl") {
        for (std::string line; std::getline(in, line);) {
            if (auto parsed = jsonheal::document::parse(std::move(line))) {
                out.push_back(std::move(parsed.value));
            }
        }
        return out;
    }
    if (auto parsed = jsonheal::document::parse(std::string(std::istreambuf_iterator<char>(in), {}))) {
        out.push_back(std::move(parsed.value));
    }
    return out;
}

/// The cases of a file: a list of objects, or an object that holds one under `cases`, or objects one a line. They live as long
/// as `files`.
inline std::vector<jsonheal::value_view> cases_in(const std::vector<jsonheal::document>& files) {
    std::vector<jsonheal::value_view> out;
    for (const jsonheal::document& d : files) {
        jsonheal::value_view root = d.root();
        if (root.is(jsonheal::value_kind::object)) {
            const auto list = root.find("cases");
            if (!list) {
                out.push_back(root);
                continue;
            }
            root = *list;
        }
        for (const jsonheal::value_view one : root.elements()) { out.push_back(one); }
    }
    return out;
}

/// Every `input`, `text`, `args` or `before` of the cases below some folders, each once.
inline std::vector<std::string> case_texts(const std::vector<std::string>& folders) {
    std::set<std::string> out;
    for (const std::string& folder : folders) {
        for (const auto& path : case_files(folder)) {
            const auto files = documents_in(path);
            for (const jsonheal::value_view one : cases_in(files)) {
                if (!one.is(jsonheal::value_kind::object)) { continue; }
                for (const std::string_view key : {"input", "text", "args", "before"}) {
                    const auto text = one.find(key);
                    if (text && text->is(jsonheal::value_kind::string)) { out.insert(text->string()); }
                }
            }
        }
    }
    return {out.begin(), out.end()};
}

/// The folder that the environment variable JSONHEAL_CORPUS names, if it is there.
inline std::vector<std::string> corpus_folder() {
    const char* named = std::getenv("JSONHEAL_CORPUS");
    if (named == nullptr || !std::filesystem::is_directory(named)) { return {}; }
    return {named};
}

} // namespace jsonheal_test
