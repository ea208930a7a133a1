// What the worker can time: jsonheal in its settings, and the C++ parsers beside it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal::bench {

/// What a subject makes of a text.
struct answer {
    bool refused = false;
    std::string json; ///< for subjects that write text; parsers give the text back if they take it
    std::size_t edits = 0;
};

/// One thing that is timed on a text. The text outlives the job.
struct job {
    std::function<answer()> solve; ///< once, with the answer
    std::function<void()> run;     ///< the same work, as it is timed
};

struct subject_kind {
    std::string_view name;
    job (*make)(const std::string& text);
};

/// All subjects of this build: a peer whose header is not installed is not among them.
[[nodiscard]] const std::vector<subject_kind>& subject_kinds();

} // namespace jsonheal::bench
