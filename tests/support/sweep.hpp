/// @file sweep.hpp
/// Runs one law over very many texts and reports the first failures, each made small. GoogleTest only.
#pragma once

#include "laws.hpp"
#include "show.hpp"
#include "shrink.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace jsonheal_test {

/// @code
/// sweep run([&](std::string_view text) { return check_identity(text, options); });
/// for (auto& text : texts) { run(text); }
/// @endcode
/// The failures are reported when the sweep ends. Of failures that begin alike after shrinking one is shown.
class sweep {
public:
    using law = std::function<failure(std::string_view)>;

    explicit sweep(law check, bool shrinks = true) : law_(std::move(check)), shrinks_(shrinks) {}
    sweep(const sweep&) = delete;
    sweep& operator=(const sweep&) = delete;

    void operator()(std::string_view text) {
        ++count_;
        if (auto why = check_(text)) { failed(std::string(text), *why); }
    }

    std::size_t failures() const { return failures_; }

    ~sweep() {
        EXPECT_GT(count_, 0U) << "nothing was checked";
        if (failures_ == 0) { return; }
        ADD_FAILURE() << failures_ << " of " << count_ << " texts break the law; the first sorts:\n"
                      << report_;
    }

private:
    static constexpr std::size_t most_shown = 6;

    /// An exception breaks a law too: nothing but an allocation may throw.
    failure check_(std::string_view text) const {
        try {
            return law_(text);
        } catch (const std::exception& e) { return "an exception was thrown: " + std::string(e.what()); }
    }

    // The first line without its numbers, and the rules that are named, say what sort of failure it is.
    static std::string sort_of(const std::string& why) {
        std::string line = why.substr(0, why.find('\n'));
        std::erase_if(line, [](char c) { return c >= '0' && c <= '9'; });
        std::set<std::string> rules;
        for (const auto& row : jsonheal::rules()) {
            if (why.find(" " + std::string(row.id)) != std::string::npos) { rules.emplace(row.id); }
        }
        line.resize(std::min<std::size_t>(line.size(), 60));
        for (const std::string& id : rules) { line += " " + id; }
        return line;
    }

    void failed(std::string text, std::string why) {
        ++failures_;
        std::string sort = sort_of(why);
        if (sorts_.size() >= most_shown || sorts_.count(sort) != 0) { return; }
        sorts_.insert(sort);
        if (shrinks_) {
            text = shrink(std::move(text), [&](const std::string& smaller) {
                auto again = check_(smaller);
                return again && sort_of(*again) == sort;
            });
            why = check_(text).value_or(why);
        }
        report_ += "input " + show(text) + "\n  " + why + "\n";
    }

    law law_;
    bool shrinks_;
    std::size_t count_ = 0;
    std::size_t failures_ = 0;
    std::set<std::string> sorts_;
    std::string report_;
};

} // namespace jsonheal_test
