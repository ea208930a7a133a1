// The formats, one row each. A new one is a row here and its cases in tests/golden_calls.
#include "formats.hpp"

#include <algorithm>
#include <array>

namespace jsonheal {

namespace {

using namespace dialect::detail;
using enum call_shape;

constexpr std::string_view think = "<think>\n<thinking>\n<reasoning>\n<scratch_pad>";
constexpr std::string_view think_end = "</think>\n</thinking>\n</reasoning>\n</scratch_pad>";
constexpr std::string_view tag = "<tool_call>";
constexpr std::string_view tag_end = "</tool_call>";

// clang-format off
constexpr format_row table[] = {
    // ---- one object between markers
    {.info = {"hermes", "Hermes 2/3, Qwen2.5, Qwen3, QwQ, Trinity", object, tag}, .calls = tag, .call_ends = tag_end,
     .reasoning = think, .reasoning_ends = think_end, .style = style_id::function},
    {.info = {"exaone4", "EXAONE 4", object, tag}, .calls = tag, .call_ends = tag_end, .reasoning = think, .reasoning_ends = think_end},
    {.info = {"granite4", "Granite 4.0, 4.2", object, tag}, .calls = tag, .call_ends = tag_end, .reasoning = think,
     .reasoning_ends = think_end, .wrappers = "<response>\n</response>", .style = style_id::function},
    {.info = {"ernie45", "ERNIE 4.5", object, tag}, .calls = tag, .call_ends = tag_end, .reasoning = think, .reasoning_ends = think_end,
     .wrappers = "<response>\n</response>"},
    {.info = {"longcat", "LongCat-Flash", object, "<longcat_tool_call>"}, .calls = "<longcat_tool_call>", .call_ends = "</longcat_tool_call>",
     .reasoning = "<longcat_think>", .reasoning_ends = "</longcat_think>", .style = style_id::longcat_arg},
    {.info = {"lmstudio", "models without a format, under LM Studio", object, "[TOOL_REQUEST]"}, .calls = "[TOOL_REQUEST]",
     .call_ends = "[END_TOOL_REQUEST]\n[END_TOOL_RESULT]", .reasoning = think, .reasoning_ends = think_end},
    {.info = {"internlm2", "InternLM 2, 2.5, Intern-S1", object, "<|action_start|>"}, .calls = "<|action_start|><|plugin|>\n<|action_start|>",
     .call_ends = "<|action_end|>", .reasoning = think, .reasoning_ends = think_end, .arguments_key = "parameters"},
    {.info = {"gigachat3", "GigaChat 3", object, "function call<|role_sep|>"},
     .calls = "<|function_call|>\nfunction call<|role_sep|>", .call_ends = "</s>", .reasoning = think, .reasoning_ends = think_end, .wrappers = "<|message_sep|>"},
    {.info = {"inkling", "Inkling", object, "<|content_invoke_tool_json|>"}, .call_ends = "<|end_message|>", .wrappers = "<|end_message|>",
     .arranged = arrangement::inkling, .arguments_key = "args"},
    {.info = {"rwkv", "RWKV-7", object, "**Tool Call:**"}, .calls = "**Tool Call:**"},
    {.info = {"generic_json", "models that are only told to write JSON", object, {}}, .reasoning = think, .reasoning_ends = think_end},

    // ---- a list of them
    {.info = {"granite3", "Granite 3.0 to 3.3", array, "<|tool_call|>"}, .calls = "<|tool_call|>\n<tool_call>", .call_ends = tag_end,
     .reasoning = think, .reasoning_ends = think_end, .wrappers = "<response>\n</response>"},
    {.info = {"jamba", "Jamba 1.5, 1.6", array, "<tool_calls>"}, .sections = "<tool_calls>", .section_ends = "</tool_calls>"},
    {.info = {"hunyuan_a13b", "Hunyuan-A13B", array, "<tool_calls>"}, .sections = "<tool_calls>", .section_ends = "</tool_calls>",
     .reasoning = think, .reasoning_ends = think_end, .wrappers = "<answer>\n</answer>"},
    {.info = {"nemotron_v2", "Nemotron Nano v2", array, "<TOOLCALL>"}, .sections = "<TOOLCALL>", .section_ends = "</TOOLCALL>",
     .reasoning = think, .reasoning_ends = think_end},
    {.info = {"phi4_mini", "Phi-4-mini, FireFunction v2", array, "functools["}, .calls = "functools"},
    {.info = {"mistral_json", "Mistral up to v7", array, "[TOOL_CALLS]"}, .calls = "[TOOL_CALLS]", .call_ends = "[/TOOL_CALLS]"},
    {.info = {"cohere_action", "Command R7B, Command A", array, "<|START_ACTION|>"}, .sections = "<|START_ACTION|>",
     .section_ends = "<|END_ACTION|>", .reasoning = "<|START_THINKING|>", .reasoning_ends = "<|END_THINKING|>",
     .wrappers = "<|START_RESPONSE|>\n<|END_RESPONSE|>\n<|START_TEXT|>\n<|END_TEXT|>\n<|END_OF_TURN_TOKEN|>",
     .name_key = "tool_name", .arguments_key = "parameters"},
    {.info = {"apertus", "Apertus", array, "<|tools_prefix|>"}, .sections = "<|tools_prefix|>", .section_ends = "<|tools_suffix|>",
     .reasoning = "<|inner_prefix|>", .reasoning_ends = "<|inner_suffix|>", .name_key = ""},
    {.info = {"xlam", "xLAM", array, {}}, .calls = "[TOOL_CALLS]\n<tool_call>", .call_ends = tag_end, .reasoning = think, .reasoning_ends = think_end},
    {.info = {"command_r_legacy", "Command-R 2024", array, "Action: ```json"}, .calls = "Action:", .name_key = "tool_name", .arguments_key = "parameters"},
    {.info = {"sarashina", "Sarashina", array, "<|tool_calls|>"}, .calls = "<|tool_calls|>"},

    // ---- several in sequence
    {.info = {"llama3_json", "Llama 3.1 to 3.3, 4", sequence, "<|python_tag|>"}, .calls = "<|python_tag|>", .wrappers = "<|eom_id|>\n<|eot_id|>",
     .arguments_key = "parameters"},
    {.info = {"minimax_m1", "MiniMax-M1, Text-01", sequence, "<tool_calls>"}, .sections = "<tool_calls>", .section_ends = "</tool_calls>",
     .reasoning = think, .reasoning_ends = think_end},
    {.info = {"granite_20b_fc", "granite-20b-functioncalling", sequence, "<function_call>"}, .calls = "<function_call>", .call_ends = "</function_call>"},

    // ---- the name outside
    {.info = {"mistral_args", "Mistral from v11, Magistral, Devstral 2", named_object, "[TOOL_CALLS]"}, .calls = "[TOOL_CALLS]",
     .reasoning = "[THINK]\n<think>", .reasoning_ends = "[/THINK]\n</think>"},
    {.info = {"mistral_callid", "Mistral Small 3.2", named_object, "[TOOL_CALLS]"}, .calls = "[TOOL_CALLS]",
     .reasoning = "[THINK]\n<think>", .reasoning_ends = "[/THINK]\n</think>"},
    {.info = {"functionary_v3_1", "Functionary v3.1, Llama 3.1 with tags", named_object, "<function="}, .style = style_id::function},
    {.info = {"functionary_v3_2", "Functionary v3.2", named_object, ">>>"}, .arranged = arrangement::recipient},
    {.info = {"kimi_k2", "Kimi-K2, K2.5, K2.7", named_object, "<|tool_calls_section_begin|>"},
     .sections = "<|tool_calls_section_begin|>\n<|tool_call_section_begin|>", .section_ends = "<|tool_calls_section_end|>\n<|tool_call_section_end|>",
     .calls = "<|tool_call_begin|>", .call_ends = "<|tool_call_end|>", .reasoning = think, .reasoning_ends = think_end},
    {.info = {"deepseek_v3", "DeepSeek-V3-0324, R1-0528, Cogito v2", named_object, "<｜tool▁calls▁begin｜>"},
     .sections = "<｜tool▁calls▁begin｜>\n<|tool▁calls▁begin|>\n<|tool_calls_begin|>", .section_ends = "<｜tool▁calls▁end｜>\n<|tool▁calls▁end|>\n<|tool_calls_end|>",
     .calls = "<｜tool▁call▁begin｜>\n<|tool▁call▁begin|>\n<|tool_call_begin|>", .call_ends = "<｜tool▁call▁end｜>\n<|tool▁call▁end|>\n<|tool_call_end|>",
     .reasoning = think, .reasoning_ends = think_end, .wrappers = "<｜end▁of▁sentence｜>"},
    {.info = {"deepseek_v31", "DeepSeek-V3.1, Terminus, V3.2-Exp", named_object, "<｜tool▁calls▁begin｜>"},
     .sections = "<｜tool▁calls▁begin｜>\n<|tool▁calls▁begin|>\n<|tool_calls_begin|>", .section_ends = "<｜tool▁calls▁end｜>\n<|tool▁calls▁end|>\n<|tool_calls_end|>",
     .calls = "<｜tool▁call▁begin｜>\n<|tool▁call▁begin|>\n<|tool_call_begin|>", .call_ends = "<｜tool▁call▁end｜>\n<|tool▁call▁end|>\n<|tool_call_end|>",
     .reasoning = think, .reasoning_ends = think_end, .wrappers = "<｜end▁of▁sentence｜>"},
    {.info = {"harmony", "gpt-oss", named_object, "<|channel|>"}, .call_ends = "<|call|>\n<|end|>\n<|return|>", .reasoning_ends = "<|end|>",
     .wrappers = "<|call|>\n<|end|>\n<|return|>", .arranged = arrangement::harmony},
    {.info = {"plamo3", "PLaMo 3", named_object, "<|plamo:begin_tool_requests:plamo|>"},
     .sections = "<|plamo:begin_tool_requests:plamo|>", .section_ends = "<|plamo:end_tool_requests:plamo|>",
     .calls = "<|plamo:begin_tool_request:plamo|>", .call_ends = "<|plamo:end_tool_request:plamo|>\n<|plamo:end_tool_arguments:plamo|>",
     .reasoning = "<|plamo:begin_think:plamo|>", .reasoning_ends = "<|plamo:end_think:plamo|>"},
    {.info = {"mirothinker", "MiroThinker, Cline's use_mcp_tool", named_object, "<use_mcp_tool>"}, .calls = "<use_mcp_tool>",
     .call_ends = "</use_mcp_tool>", .reasoning = think, .reasoning_ends = think_end},

    // ---- Python
    {.info = {"pythonic", "Llama 3.2, ToolACE", python, {}}},
    {.info = {"llama4_pythonic", "Llama 4", python, "<|python_start|>"}, .calls = "<|python_start|>", .call_ends = "<|python_end|>"},
    {.info = {"olmo3", "OLMo 3", python, "<function_calls>"}, .sections = "<function_calls>", .section_ends = "</function_calls>",
     .reasoning = think, .reasoning_ends = think_end},
    {.info = {"lfm2", "LFM2, LFM2.5", python, "<|tool_call_start|>"}, .calls = "<|tool_call_start|>", .call_ends = "<|tool_call_end|>",
     .reasoning = think, .reasoning_ends = think_end},
    {.info = {"gemma3_tool_code", "Gemma 2, 3, Gemini prompts", python, "```tool_code"}, .calls = "```tool_code", .call_ends = "```"},

    // ---- strings between markers
    {.info = {"gemma4", "Gemma 4", delimited, "<|tool_call>"}, .calls = "<|tool_call>", .call_ends = "<tool_call|>",
     .reasoning = "<|channel>thought", .reasoning_ends = "<channel|>", .wrappers = "<|tool_response>"},
    {.info = {"functiongemma", "FunctionGemma", delimited, "<start_function_call>"}, .calls = "<start_function_call>", .call_ends = "<end_function_call>"},

    // ---- tags
    {.info = {"qwen3_coder", "Qwen3-Coder, Qwen3.5, MiMo, Nemotron 3, Step-3.5", function_tags, "<tool_call>"}, .calls = tag, .call_ends = tag_end,
     .reasoning = think, .reasoning_ends = think_end, .style = style_id::function},
    {.info = {"seed_oss", "Seed-OSS", function_tags, "<seed:tool_call>"}, .calls = "<seed:tool_call>", .call_ends = "</seed:tool_call>",
     .reasoning = "<seed:think>", .reasoning_ends = "</seed:think>", .style = style_id::function},
    {.info = {"minimax_m2", "MiniMax-M2, M2.1, M2.5, M2.7", invoke_tags, "<minimax:tool_call>"}, .sections = "<minimax:tool_call>",
     .section_ends = "</minimax:tool_call>", .reasoning = think, .reasoning_ends = think_end, .style = style_id::invoke},
    {.info = {"claude_xml", "Claude 2, 3 and clones, OpenHands", invoke_tags, "<function_calls>"}, .sections = "<function_calls>",
     .section_ends = "</function_calls>", .reasoning = think, .reasoning_ends = think_end, .style = style_id::invoke},
    {.info = {"dots", "dots.llm", invoke_tags, "<dots_function_call>"}, .sections = "<dots_function_call>", .section_ends = "</dots_function_call>",
     .reasoning = think, .reasoning_ends = think_end, .style = style_id::invoke},
    {.info = {"step3", "Step-3", invoke_tags, "<｜tool_calls_begin｜>"}, .sections = "<｜tool_calls_begin｜>", .section_ends = "<｜tool_calls_end｜>",
     .calls = "<｜tool_call_begin｜>", .call_ends = "<｜tool_call_end｜>", .reasoning = think, .reasoning_ends = think_end, .style = style_id::steptml},
    {.info = {"minicpm5", "MiniCPM5", invoke_tags, "<function name="}, .reasoning = think, .reasoning_ends = think_end, .style = style_id::function_name},
    {.info = {"muse_glimmer", "Glimmer", invoke_tags, "<atem:function_calls>"}, .sections = "<atem:function_calls>",
     .section_ends = "</atem:function_calls>", .wrappers = "<|eom|>\n<|eot|>", .style = style_id::atem, .arranged = arrangement::glimmer},
    {.info = {"glm45", "GLM-4.5, 4.6, Ling 3", pair_tags, tag}, .calls = tag, .call_ends = tag_end, .reasoning = think, .reasoning_ends = think_end,
     .style = style_id::arg},
    {.info = {"glm47", "GLM-4.7, 5, Laguna", pair_tags, tag}, .calls = tag, .call_ends = tag_end, .reasoning = think, .reasoning_ends = think_end,
     .style = style_id::arg},
    {.info = {"hy_v3", "Hunyuan V3, V4", pair_tags, "<tool_calls>"}, .sections = "<tool_calls>", .section_ends = "</tool_calls>", .calls = tag,
     .call_ends = tag_end, .reasoning = think, .reasoning_ends = think_end, .style = style_id::arg},
    {.info = {"longcat2", "newer LongCat", pair_tags, "<longcat_tool_call>"}, .calls = "<longcat_tool_call>", .call_ends = "</longcat_tool_call>",
     .reasoning = "<longcat_think>", .reasoning_ends = "</longcat_think>", .style = style_id::longcat_arg},
    {.info = {"solar_open2", "Solar Open 2", pair_tags, "<|tool_call:start|>"}, .calls = "<|tool_call:start|>", .call_ends = "<|tool_call:end|>",
     .reasoning = think, .reasoning_ends = think_end, .style = style_id::solar},
    {.info = {"deepseek_v32", "DeepSeek-V3.2", typed_tags, "<｜DSML｜function_calls>"},
     .sections = "<｜DSML｜function_calls>\n<｜DSML｜tool_calls>\n<｜DSML｜ calls>\n<｜｜DSML｜｜function_calls>\n<｜｜DSML｜｜tool_calls>",
     .section_ends = "</｜DSML｜function_calls>\n</｜DSML｜tool_calls>\n</｜DSML｜ calls>\n</｜｜DSML｜｜function_calls>\n</｜｜DSML｜｜tool_calls>",
     .reasoning = think, .reasoning_ends = think_end, .wrappers = "<｜end▁of▁sentence｜>", .style = style_id::dsml},
    {.info = {"deepseek_v4", "DeepSeek-V4, 4.1", typed_tags, "<｜DSML｜tool_calls>"},
     .sections = "<｜DSML｜tool_calls>\n<｜DSML｜function_calls>\n<｜DSML｜ calls>\n<｜｜DSML｜｜function_calls>\n<｜｜DSML｜｜tool_calls>",
     .section_ends = "</｜DSML｜tool_calls>\n</｜DSML｜function_calls>\n</｜DSML｜ calls>\n</｜｜DSML｜｜function_calls>\n</｜｜DSML｜｜tool_calls>",
     .reasoning = think, .reasoning_ends = think_end, .wrappers = "<｜end▁of▁sentence｜>", .style = style_id::dsml},
    {.info = {"gigachat35", "GigaChat 3.5", typed_tags, "<｜GCML｜tool_calls>"}, .sections = "<｜GCML｜tool_calls>\n<｜GCML｜function_calls>",
     .section_ends = "</｜GCML｜tool_calls>\n</｜GCML｜function_calls>", .reasoning = think, .reasoning_ends = think_end, .style = style_id::gcml},
    {.info = {"cohere_cofl", "Cohere Command 2026", typed_tags, "<cofl:tool_calls>"}, .sections = "<cofl:tool_calls>",
     .section_ends = "</cofl:tool_calls>", .reasoning = "<|START_THINKING|>", .reasoning_ends = "<|END_THINKING|>",
     .wrappers = "<|START_TEXT|>\n<|END_TEXT|>\n<|START_RESPONSE|>\n<|END_RESPONSE|>\n<|END_OF_TURN_TOKEN|>", .style = style_id::cofl},
    {.info = {"kimi_k3", "Kimi-K3", typed_tags, "<|open|>tools<|sep|>"}, .sections = "<|open|>tools<|sep|>", .section_ends = "<|close|>tools<|sep|>",
     .reasoning = "<|open|>think<|sep|>\n<think>", .reasoning_ends = "<|close|>think<|sep|>\n</think>",
     .wrappers = "<|open|>response<|sep|>\n<|close|>response<|sep|>\n<|open|>message<|sep|>\n<|close|>message<|sep|>",
     .style = style_id::kimi_k3, .arranged = arrangement::channels},
    {.info = {"minimax_m3", "MiniMax-M3", element_tags, "]<]minimax[>[<tool_call>"}, .sections = "]<]minimax[>[<tool_call>",
     .section_ends = "]<]minimax[>[</tool_call>", .reasoning = "<mm:think>\n<think>", .reasoning_ends = "</mm:think>\n</think>", .style = style_id::minimax_m3},
    {.info = {"cline_xml", "any model under Cline, Roo, Kilo", element_tags, {}}, .reasoning = think, .reasoning_ends = think_end, .style = style_id::elements},

    // ---- attributes and labelled lines
    {.info = {"chatcli", "any model under ChatCLI", lines, "<tool_call name="}, .calls = "<tool_call\n<tool\n[tool:\n[tool_call:", .call_ends = "</tool_call>\n</tool>",
     .reasoning = think, .reasoning_ends = think_end},
    {.info = {"react", "LangChain, LlamaIndex, Qwen-Agent prompts", lines, "Action:"}, .calls = "Action:", .reasoning = think, .reasoning_ends = think_end,
     .arranged = arrangement::react},
};

constexpr tag_style styles[] = {
    {},
    {"<function=", name_place::bare, "", "</function>\n<\\/function>", "<parameter=", name_place::bare, "", "", "", "</parameter>\n<\\/parameter>", "", ">", true},
    {"<invoke \n<invoke>", name_place::attribute, "name", "</invoke>\n<\\/invoke>", "<parameter ", name_place::attribute, "name", "", "",
     "</parameter>\n<\\/parameter>", "string", ">", false},
    {"<｜DSML｜invoke \n<｜｜DSML｜｜invoke ", name_place::attribute, "name", "</｜DSML｜invoke>\n</｜｜DSML｜｜invoke>",
     "<｜DSML｜parameter \n<｜｜DSML｜｜parameter ", name_place::attribute, "name", "", "", "</｜DSML｜parameter>\n</｜｜DSML｜｜parameter>", "string", ">", false},
    {"<｜GCML｜invoke \n<｜｜GCML｜｜invoke ", name_place::attribute, "name", "</｜GCML｜invoke>\n</｜｜GCML｜｜invoke>",
     "<｜GCML｜parameter \n<｜｜GCML｜｜parameter ", name_place::attribute, "name", "", "", "</｜GCML｜parameter>\n</｜｜GCML｜｜parameter>", "string", ">", false},
    {"<steptml:invoke ", name_place::attribute, "name", "</steptml:invoke>", "<steptml:parameter ", name_place::attribute, "name", "", "",
     "</steptml:parameter>", "", ">", false},
    {"<atem:invoke ", name_place::attribute, "name", "</atem:invoke>", "<atem:parameter ", name_place::attribute, "name", "", "", "</atem:parameter>", "", ">", false},
    {"<cofl:tool_call ", name_place::attribute, "name", "</cofl:tool_call>", "<cofl:value ", name_place::attribute, "name", "", "", "</cofl:value>", "type", ">", false},
    {"<function \n<function", name_place::attribute, "name", "</function>", "<param ", name_place::attribute, "name", "", "", "</param>", "", ">", false},
    {"<|open|>call ", name_place::attribute, "tool", "<|close|>call<|sep|>", "<|open|>argument ", name_place::attribute, "key", "", "",
     "<|close|>argument<|sep|>", "type", "<|sep|>", false},
    {"", name_place::line, "", "</tool_call>", "<arg_key>", name_place::line, "", "</arg_key>", "<arg_value>", "</arg_value>", "", "", false},
    {"", name_place::line, "", "</longcat_tool_call>", "<longcat_arg_key>", name_place::line, "", "</longcat_arg_key>", "<longcat_arg_value>",
     "</longcat_arg_value>", "", "", false},
    {"", name_place::line, "", "<|tool_call:end|>", "<|tool_arg:start|>", name_place::line, "", "<|tool_arg:value|>", "", "<|tool_arg:end|>", "", "", false},
    {"]<]minimax[>[<invoke ", name_place::attribute, "name", "]<]minimax[>[</invoke>", "]<]minimax[>[<", name_place::element, "", "", "",
     "]<]minimax[>[</", "", ">", false},
    {"<", name_place::element, "", "</", "<", name_place::element, "", "", "", "</", "", ">", true},
};
// clang-format on
static_assert(std::size(styles) == static_cast<std::size_t>(style_id::count));

constexpr auto infos = [] {
    std::array<call_format, std::size(table)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) { all[i] = table[i].info; }
    return all;
}();

constexpr char plain(char c) noexcept {
    return c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) { row[j] = j; }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, corner + (plain(a[i - 1]) == b[j - 1] ? 0u : 1u)});
            corner = above;
        }
    }
    return row.back();
}

} // namespace

namespace dialect::detail {

const tag_style& style_of(style_id s) noexcept { return styles[static_cast<std::size_t>(s)]; }
std::span<const format_row> rows() noexcept { return table; }
const format_row& row_of(const call_format& f) noexcept {
    for (const format_row& r : table) {
        if (r.info.name == f.name) { return r; }
    }
    return table[0];
}

} // namespace dialect::detail

std::string_view name(call_shape s) noexcept {
    constexpr std::string_view names[] = {"object",    "array",      "sequence",      "named_object",
                                          "python",    "delimited",  "function_tags", "invoke_tags",
                                          "pair_tags", "typed_tags", "element_tags",  "lines"};
    return names[static_cast<std::size_t>(s)];
}

std::span<const call_format> call_formats() noexcept { return infos; }

const call_format* find_call_format(std::string_view name) noexcept {
    for (const call_format& f : infos) {
        if (std::equal(name.begin(), name.end(), f.name.begin(), f.name.end(),
                       [](char a, char b) { return plain(a) == b; })) {
            return &f;
        }
    }
    return nullptr;
}

std::string_view nearest_call_format(std::string_view name) {
    name = name.substr(0, 64);
    std::string_view best;
    std::size_t least = static_cast<std::size_t>(-1);
    for (const call_format& f : infos) {
        const std::size_t d = distance(name, f.name);
        if (d < least) {
            least = d;
            best = f.name;
        }
    }
    return best;
}

const call_format* detect_call_format(std::string_view text) noexcept {
    const call_format* best = nullptr;
    std::size_t most = 0;
    for (const format_row& r : table) {
        // markers of a body tell formats with one wrapper apart
        const tag_style& s = style_of(r.style);
        std::size_t score = 0;
        const auto add = [&](std::string_view marker) {
            if (marker.size() > 3 && text.find(marker) != std::string_view::npos) { score += marker.size(); }
        };
        add(r.info.opener);
        if (score == 0) { continue; }
        add(first_line(r.sections));
        add(first_line(r.call_ends));
        add(first_line(r.wrappers));
        if (r.info.shape >= function_tags && r.info.shape <= typed_tags) { add(first_line(s.param_open)); }
        if (score > most) {
            most = score;
            best = &infos[static_cast<std::size_t>(&r - table)];
        }
    }
    return best;
}

} // namespace jsonheal
