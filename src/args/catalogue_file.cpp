// Reads a catalogue file.

#include <jsonheal/args_tools.hpp>

#include <set>
#include <string>
#include <utility>

namespace jsonheal {

namespace {

struct bare_name {
    std::string_view name;
    tool_spec::bare_text how;
};
constexpr bare_name bare_names[] = {
    {"value", tool_spec::bare_text::value},
    {"subcommands", tool_spec::bare_text::subcommands},
    {"shell", tool_spec::bare_text::shell},
};

/// Reads one file; the first fault ends it.
class catalogue_reader {
public:
    explicit catalogue_reader(std::string_view json) noexcept : json_(json) {}

    catalogue_reading read() {
        const parse_result parsed = document::parse_borrowed(json_);
        if (!parsed) {
            fail("the catalogue is not JSON: " + std::string(parsed.error->message), parsed.error->offset);
        } else if (const value_view root = parsed.value.root(); !root.is(value_kind::object)) {
            fail("the catalogue is not an object with a member for each tool", root.begin());
        } else {
            read_tools(root);
        }
        if (reading_.error) { reading_.catalogue = tool_catalogue(); }
        return std::move(reading_);
    }

private:
    void read_tools(value_view root) {
        std::set<std::string> seen;
        for (const member m : root.members()) {
            const std::string name = m.key.string();
            if (name.empty()) { return fail("a tool needs a name", m.key.begin()); }
            if (!seen.insert(name).second) {
                return fail("the tool \"" + name + "\" is named twice", m.key.begin());
            }
            tool_spec tool;
            tool.name = name;
            read_tool(m.value, tool);
            if (reading_.error) { return; }
            reading_.catalogue.add(std::move(tool));
        }
    }

    void read_tool(value_view value, tool_spec& tool) {
        if (value.is(value_kind::string)) {
            tool.field = value.string();
            return;
        }
        if (!value.is(value_kind::object)) {
            return fail("a tool is a field's name or an object", value.begin());
        }
        if (const auto schema = value.find("schema")) {
            tool = tool_from_schema(tool.name, *schema, tool_catalogue::standard().find(tool.name));
            if (!tool.has_schema) { return fail("\"schema\" has no \"properties\"", schema->begin()); }
        }
        std::set<std::string> seen;
        for (const member m : value.members()) {
            const std::string key = m.key.string();
            if (!seen.insert(key).second) { return fail("\"" + key + "\" is there twice", m.key.begin()); }
            read_setting(key, m, tool);
            if (reading_.error) { return; }
        }
    }

    void read_setting(const std::string& key, const member& m, tool_spec& tool) {
        if (key == "schema") { return; }
        if (key == "field") {
            if (!m.value.is(value_kind::string)) {
                return fail("\"field\" is not a string", m.value.begin());
            }
            tool.field = m.value.string();
        } else if (key == "bare") {
            read_bare(m.value, tool);
        } else if (key == "code") {
            read_code(m.value, tool);
        } else {
            fail("there is no setting \"" + key + "\"; there are field, bare, code, schema", m.key.begin());
        }
    }

    void read_bare(value_view value, tool_spec& tool) {
        for (const bare_name& row : bare_names) {
            if (value.is(value_kind::string) && value.string_is(row.name)) {
                tool.bare = row.how;
                return;
            }
        }
        fail("\"bare\" is not one of value, subcommands, shell", value.begin());
    }

    void read_code(value_view value, tool_spec& tool) {
        if (!value.is(value_kind::array)) { return fail("\"code\" is not a list of members", value.begin()); }
        tool.code_fields.clear();
        for (const value_view one : value.elements()) {
            if (!one.is(value_kind::string)) {
                return fail("\"code\" is not a list of strings", one.begin());
            }
            tool.code_fields.push_back(one.string());
        }
    }

    void fail(std::string message, std::size_t offset) {
        reading_.error = catalogue_error{std::move(message), locate(json_, offset)};
    }

    std::string_view json_;
    catalogue_reading reading_;
};

} // namespace

catalogue_reading tool_catalogue::read(std::string_view json) { return catalogue_reader(json).read(); }

} // namespace jsonheal
