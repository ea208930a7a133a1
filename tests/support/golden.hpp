/// @file golden.hpp
/// Reads the golden cases. tests/golden/README.md describes the format.
#pragma once

#include "json_tape.hpp"
#include "laws.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jsonheal_test {

/// One case: an input, options, and what is known of the right outcome.
struct golden_case {
    std::string file; ///< name without folder
    std::string id;
    std::string input;
    jsonheal::heal_options options;
    std::optional<std::string> verdict;
    std::optional<std::string> cut;
    std::optional<std::string> risk;
    std::vector<std::string> rules;  ///< each must stand in the log
    std::optional<std::string> json; ///< the healed text, byte for byte
    std::vector<json_tape> values;   ///< the value wanted, then those that are right as well
    std::string value_text;          ///< the first of them as it stands in the file
    bool refused = false;            ///< a refusal is right; the only right answer unless there are values
    bool must_be_truncated = false;
    std::string fault; ///< what is wrong with the case itself

    /// `file/id`: unique over all files.
    [[nodiscard]] std::string name() const { return file.substr(0, file.find('.')) + "/" + id; }
};

/// The folder, relative to the root of the sources, in which tests run.
inline constexpr const char* golden_folder = "tests/golden";

/// The files of the folder that hold cases, sorted by name.
[[nodiscard]] std::vector<std::string> golden_files();
/// The cases of one file. A file that cannot be read gives one case with a fault.
[[nodiscard]] std::vector<golden_case> golden_cases(const std::string& file);
/// All inputs of all files.
[[nodiscard]] std::vector<std::string> golden_inputs();
/// Cases that are known to fail, as `file/id` without the file's ending, and the reason.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> known_misses();

/// What an outcome has wrong; nothing if the case is met.
[[nodiscard]] failure judge(const golden_case& c, const jsonheal::healing& h);

} // namespace jsonheal_test
