/// @file output.cpp
/// The standard's output formats: JSON Schema Core 2020-12, section 12.4.

#include "report.hpp"
#include "uri.hpp"

#include <algorithm>

namespace jsonheal::schema {

namespace detail {

namespace {

class output_writer {
public:
    output_writer(const program_data& p, value_view root, const recording& r, const validate_limits& limits,
                  std::string& out)
        : p_(p), root_(root), r_(r), most_(std::max(limits.violations, 1u)), out_(out) {}

    void basic() {
        out_.append(R"({"valid":false,"errors":[)");
        std::size_t listed = 0;
        for (const unit& u : r_.units) {
            if (u.reason == unit_reason::branch || listed == most_) { continue; }
            if (listed++ > 0) { out_.push_back(','); }
            open(u);
            close(u);
        }
        out_.append("]}");
    }

    /// Depth first with the units still to be closed on a stack.
    void detailed() {
        out_.append(R"({"valid":false,"keywordLocation":"","instanceLocation":"","errors":[)");
        struct level {
            std::vector<std::uint32_t> parts;
            std::size_t next = 0;
            const unit* self = nullptr;
        };
        std::vector<level> levels;
        levels.push_back(
            {some(outermost(r_.units, 0, static_cast<std::uint32_t>(r_.units.size()))), 0, nullptr});
        while (!levels.empty()) {
            level& here = levels.back();
            if (here.next == here.parts.size()) {
                out_.push_back(']');
                if (here.self != nullptr) { close(*here.self); }
                levels.pop_back();
                continue;
            }
            const std::uint32_t index = here.parts[here.next];
            if (here.next++ > 0) { out_.push_back(','); }
            const unit& u = r_.units[index];
            open(u);
            if (u.first_child == index) {
                close(u);
                continue;
            }
            out_.append(R"(,"errors":[)");
            levels.push_back({some(outermost(r_.units, u.first_child, index)), 0, &u});
        }
        out_.push_back('}');
    }

private:
    [[nodiscard]] std::vector<std::uint32_t> some(std::vector<std::uint32_t> units) const {
        if (units.size() > most_) { units.resize(most_); }
        return units;
    }

    void member(std::string_view name, std::string_view text) {
        out_.append(",\"").append(name).append("\":");
        encode_string(text, out_);
    }
    void open(const unit& u) {
        out_.append(R"({"valid":false)");
        const std::uint32_t n = r_.paths[u.path].node;
        std::string location;
        append_path(u.path, location);
        if (u.location != none) { append_pointer(source_of(n), u.location, location); }
        if (u.reason == unit_reason::branch) { location.append("/").append(std::to_string(u.extra)); }
        member("keywordLocation", location);
        std::string absolute = p_.location_of(n, u.location == none ? p_.nodes[n].location : u.location);
        if (u.reason == unit_reason::branch) { absolute.append("/").append(std::to_string(u.extra)); }
        member("absoluteKeywordLocation", absolute);
        member("instanceLocation", pointer_of(root_, u.value));
    }
    void close(const unit& u) {
        if (u.reason != unit_reason::branch) {
            member("error", words_for(p_, root_, r_, u, pointer_of(root_, u.value)).message);
        }
        out_.push_back('}');
    }

    [[nodiscard]] value_view source_of(std::uint32_t n) const {
        return p_.value_at(p_.nodes[n].document, p_.nodes[n].location);
    }
    /// How evaluation came to a frame: keyword by keyword, through references.
    void append_path(std::uint32_t path, std::string& location) const {
        std::vector<std::uint32_t> steps;
        for (; path != none; path = r_.paths[path].parent) { steps.push_back(path); }
        std::reverse(steps.begin(), steps.end());
        for (std::size_t i = 1; i < steps.size(); ++i) {
            const path_entry& step = r_.paths[steps[i]];
            const instruction& in = p_.code[step.instruction];
            if (in.op == opcode::reference || in.op == opcode::dynamic_reference) {
                location.append("/").append(info(in.keyword).name);
            } else {
                append_pointer(source_of(r_.paths[steps[i - 1]].node), p_.nodes[step.node].location,
                               location);
            }
        }
    }

    const program_data& p_;
    value_view root_;
    const recording& r_;
    std::size_t most_;
    std::string& out_;
};

} // namespace

} // namespace detail

bool write_output(const program& p, value_view instance, output_format format, std::string& out,
                  const validate_limits& limits) {
    if (fits(p, instance, limits)) {
        out.append(R"({"valid":true})");
        return true;
    }
    if (format == output_format::flag) {
        out.append(R"({"valid":false})");
        return false;
    }
    const detail::recording r = detail::record_faults(p.data(), instance, limits);
    detail::output_writer w(p.data(), instance, r, limits, out);
    if (format == output_format::basic) {
        w.basic();
    } else {
        w.detailed();
    }
    return false;
}

} // namespace jsonheal::schema
