// What to tell a model whose call cannot be run.
#include <jsonheal/calls.hpp>

namespace jsonheal {

namespace {

constexpr std::size_t most_names = 50;     // of tools in one message
constexpr std::size_t most_violations = 5; // of one call

void add_unknown(const read_call& c, const tool_set& tools, std::string& out) {
    out.append("There is no tool named ").append(c.name).append(". ");
    if (tools.tools().empty()) {
        out.append("No tools are available; answer without one.\n");
        return;
    }
    out.append("The tools are: ");
    std::size_t listed = 0;
    for (const call_tool& t : tools.tools()) {
        if (listed == most_names) {
            out.append(" and others");
            break;
        }
        out.append(listed++ == 0 ? "" : ", ").append(t.name);
    }
    out.append(". Call one of these, or answer without a tool.\n");
}

void add_misfits(const read_call& c, const call_tool& tool, std::string& out) {
    const parse_result parsed = document::parse_borrowed(c.arguments);
    if (!parsed || !tool.has_schema) { return; }
    schema::validate_limits limits;
    limits.violations = most_violations;
    const schema::validation v = schema::validate(tool.program, parsed.value.root(), limits);
    for (const schema::violation& one : v.violations) {
        out.append("The call of ").append(tool.name).append(" does not fit: ").append(one.message);
        if (!one.message.ends_with('.')) { out.push_back('.'); }
        out.push_back('\n');
    }
}

} // namespace

std::string correction_message(const calls_reading& reading, const tool_set& tools) {
    std::string out;
    for (const read_call& c : reading.calls) {
        const call_tool* tool = tools.find(c.name);
        if (tool == nullptr) {
            add_unknown(c, tools, out);
        } else if (c.status == call_status::incomplete) {
            out.append("The call of ")
                .append(c.name)
                .append(" was cut off before its end. Send the whole call again");
            out.append(c.arguments.size() > 2000 ? ", with shorter arguments.\n" : ".\n");
        } else if (c.status == call_status::rejected) {
            out.append("The arguments of ")
                .append(c.name)
                .append(" could not be read. They must be one JSON object.\n");
        } else {
            add_misfits(c, *tool, out);
        }
    }
    if (!out.empty()) { out.append("Repeat only the calls named here, corrected.\n"); }
    return out;
}

} // namespace jsonheal
