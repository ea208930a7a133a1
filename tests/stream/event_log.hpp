// What a stream tells its handler, as texts that do not depend on how pieces of strings are cut.
#pragma once

#include <jsonheal/stream.hpp>

#include <string>
#include <vector>

namespace jsonheal_test {

class event_log {
public:
    /// `each_piece`: their size is fixed, so each counts. Else those in a row are joined.
    explicit event_log(bool each_piece) : each_piece_(each_piece) {}

    void add(const jsonheal::stream_event& e) {
        if (!each_piece_ && e.kind == jsonheal::event_kind::piece) {
            joined_ += e.text;
            return;
        }
        if (!joined_.empty()) { all.push_back("piece " + joined_); }
        joined_.clear();
        std::string word = e.place.pointer() + (e.item ? " item " : " ");
        word += e.kind == jsonheal::event_kind::began   ? "begins "
                : e.kind == jsonheal::event_kind::piece ? "goes on "
                                                        : "ends ";
        word +=
            std::string(name(e.value)) + " " + std::to_string(e.begin) + " " + std::to_string(e.end) + " ";
        all.push_back(word + std::to_string(e.size) + " " + std::string(e.text));
    }

    std::vector<std::string> all;

private:
    bool each_piece_;
    std::string joined_;
};

} // namespace jsonheal_test
