/// @file listing.cpp
/// A program for people to read.

#include "formats.hpp"
#include "program.hpp"
#include "regex.hpp"

namespace jsonheal::schema {

namespace detail {

namespace {

constexpr std::string_view opcode_names[] = {"integer",
                                             "minimum",
                                             "exclusive_minimum",
                                             "maximum",
                                             "exclusive_maximum",
                                             "multiple_of",
                                             "min_length",
                                             "max_length",
                                             "pattern",
                                             "format",
                                             "min_items",
                                             "max_items",
                                             "unique_items",
                                             "items",
                                             "contains",
                                             "min_properties",
                                             "max_properties",
                                             "properties",
                                             "required",
                                             "property_names",
                                             "dependent_required",
                                             "dependent_schemas",
                                             "value_set",
                                             "reference",
                                             "dynamic_reference",
                                             "all_of",
                                             "any_of",
                                             "one_of",
                                             "negation",
                                             "condition",
                                             "unevaluated_items",
                                             "unevaluated_properties"};

std::string to(const edge& e) {
    if (e.at == none) { return "-"; }
    return e.run == e.at ? std::to_string(e.at) : std::to_string(e.at) + ">" + std::to_string(e.run);
}

class lister {
public:
    explicit lister(const program_data& p) : p_(p) {}

    std::string run() {
        for (std::uint32_t i = 0; i != p_.nodes.size(); ++i) { node_line(i); }
        return std::move(out_);
    }

private:
    void node_line(std::uint32_t index) {
        const node& n = p_.nodes[index];
        out_.append(std::to_string(index)).append(index == p_.root ? "* " : "  ");
        for (unsigned k = 0; k != 6; ++k) { out_.push_back((n.kinds >> k & 1u) != 0 ? "nbdsao"[k] : '-'); }
        out_.append("  ").append(p_.location_of(index, n.location));
        if ((n.flags & node::slow) != 0) { out_.append("  by frames"); }
        out_.push_back('\n');
        for (std::uint32_t i = 0; i != n.ends.back(); ++i) { instruction_line(p_.code[n.first + i]); }
        if (!p_.quick_nodes.empty()) { quick_lines(p_.quick_nodes[index]); }
    }

    /// What the fast face does for each kind, where that is more than to fail or to pass.
    void quick_lines(const quick_node& kinds) {
        for (std::size_t k = 0; k != kinds.size(); ++k) {
            const quick_run& r = kinds[k];
            if (r.what != quick_run::sort::ask) { continue; }
            out_.append("    ").append(1, "nbdsao"[k]).append(":");
            for (std::uint32_t i = 0; i != r.count; ++i) {
                const instruction& in = p_.quick_code[r.first + i];
                word(opcode_names[static_cast<std::size_t>(in.op)]);
                word("#" + std::to_string(in.a));
            }
            out_.push_back('\n');
        }
    }

    void instruction_line(const instruction& in) {
        out_.append("      ").append(opcode_names[static_cast<std::size_t>(in.op)]);
        operand(in);
        out_.push_back('\n');
    }

    void word(std::string_view text) { out_.append(" ").append(text); }
    void quoted(std::string_view text) {
        out_.push_back(' ');
        encode_string(text, out_);
    }

    void operand(const instruction& in) {
        switch (in.op) {
        case opcode::minimum:
        case opcode::exclusive_minimum:
        case opcode::maximum:
        case opcode::exclusive_maximum: return word(p_.bounds[in.a].text);
        case opcode::multiple_of: return word(p_.divisors[in.a].text);
        case opcode::pattern: quoted(p_.regexes[in.a]->source()); return word(p_.regexes[in.a]->engine());
        case opcode::format: return word(format_name(in.a));
        case opcode::min_length:
        case opcode::max_length:
        case opcode::min_items:
        case opcode::max_items:
        case opcode::min_properties:
        case opcode::max_properties: return word(std::to_string(in.a));
        case opcode::items: return items(p_.items[in.a]);
        case opcode::contains: return word("-> " + to(p_.contains[in.a].to));
        case opcode::properties: return object(p_.objects[in.a]);
        case opcode::required:
            for (const std::string& name : p_.required_lists[in.a]) { quoted(name); }
            return;
        case opcode::dependent_required:
        case opcode::dependent_schemas: return dependencies(p_.dependencies[in.a]);
        case opcode::value_set:
            for (const value_view v : p_.value_sets[in.a].all) { word(v.source().substr(0, 60)); }
            return;
        case opcode::all_of:
        case opcode::any_of:
        case opcode::one_of: return branches(p_.unions[in.a]);
        case opcode::condition:
            for (std::uint32_t i = 0; i != 3; ++i) { word("-> " + to(p_.edges[in.a + i])); }
            return;
        case opcode::dynamic_reference: quoted(p_.dynamic_anchors[in.b]); break;
        case opcode::integer:
        case opcode::unique_items: return;
        default: break;
        }
        word("-> " + to(p_.edges[in.a]));
    }

    void items(const items_shape& shape) {
        for (std::uint32_t i = 0; i != shape.prefix.count; ++i) {
            word("-> " + to(p_.edges[shape.prefix.begin + i]));
        }
        word("rest -> " + to(shape.rest));
    }

    void object(const object_shape& shape) {
        word(shape.closed ? "closed" : "rest -> " + to(shape.additional));
        for (std::uint32_t i = 0; i != shape.properties.count; ++i) {
            const property& prop = p_.properties[shape.properties.begin + i];
            out_.append("\n         ");
            quoted(prop.key);
            if (prop.required_bit != 0) { word("required"); }
            word("-> " + to(prop.to));
            for (std::uint32_t n = 0; n != shape.patterns.count && n < 32; ++n) {
                if ((prop.patterns >> n & 1u) != 0) { word("~" + std::to_string(n)); }
            }
        }
        for (std::uint32_t i = 0; i != shape.patterns.count; ++i) {
            const pattern_edge& pattern = p_.pattern_edges[shape.patterns.begin + i];
            out_.append("\n         ~");
            quoted(p_.regexes[pattern.regex]->source());
            word(p_.regexes[pattern.regex]->engine());
            word("-> " + to(pattern.to));
        }
    }

    void dependencies(const std::vector<dependency>& list) {
        for (const dependency& d : list) {
            out_.append("\n         ");
            quoted(d.key);
            for (const std::string& name : d.names) { quoted(name); }
            if (d.to.at != none) { word("-> " + to(d.to)); }
        }
    }

    void branches(const union_shape& u) {
        for (std::uint32_t i = 0; i != u.branches.count; ++i) {
            word("-> " + to(p_.edges[u.branches.begin + i]));
        }
        if (u.by_discriminator != none) {
            word("by");
            quoted(p_.discriminators[u.by_discriminator].key);
        }
        if (u.by_keys == none) { return; }
        word("told by");
        for (const std::string& key : p_.key_filters[u.by_keys].telling) { quoted(key); }
    }

    const program_data& p_;
    std::string out_;
};

} // namespace

} // namespace detail

std::string program::listing() const { return detail::lister(*data_).run(); }

} // namespace jsonheal::schema
