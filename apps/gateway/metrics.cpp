#include "metrics.hpp"

#include "metric_series.hpp"

#include <jsonheal/base.hpp>
#include <jsonheal/unicode.hpp>

#include <charconv>
#include <span>

namespace jsonheal::gateway {

namespace {

using detail::counter;
using detail::histogram;
using detail::label_values;
using detail::series;

// Upper ends of buckets -------------------------------------------------------------------------------------

constexpr std::uint64_t ms = 1'000'000; // in nanoseconds
/// Of HTTP requests: OpenTelemetry's advice for http.server.request.duration, and minutes, which models take.
constexpr std::uint64_t request_bounds[] = {
    1 * ms,   5 * ms,    10 * ms,   25 * ms,   50 * ms,   75 * ms,    100 * ms,   250 * ms,   500 * ms,
    750 * ms, 1000 * ms, 2500 * ms, 5000 * ms, 7500 * ms, 10000 * ms, 30000 * ms, 60000 * ms, 300000 * ms};
/// The advice for gen_ai.client.operation.duration.
constexpr std::uint64_t operation_bounds[] = {10 * ms,    20 * ms,    40 * ms,    80 * ms,   160 * ms,
                                              320 * ms,   640 * ms,   1280 * ms,  2560 * ms, 5120 * ms,
                                              10240 * ms, 20480 * ms, 40960 * ms, 81920 * ms};
/// The advice for gen_ai.server.time_to_first_token.
constexpr std::uint64_t first_token_bounds[] = {
    1 * ms,   5 * ms,   10 * ms,  20 * ms,   40 * ms,   60 * ms,   80 * ms,   100 * ms,
    250 * ms, 500 * ms, 750 * ms, 1000 * ms, 2500 * ms, 5000 * ms, 7500 * ms, 10000 * ms};
/// The advice for gen_ai.client.token.usage.
constexpr std::uint64_t token_bounds[] = {1,     4,     16,     64,      256,     1024,     4096,
                                          16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864};
constexpr std::uint64_t attempt_bounds[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

constexpr std::size_t most_models = 200;
constexpr std::size_t most_series = 10'000;
constexpr std::size_t most_label_bytes = 128;

// Text ------------------------------------------------------------------------------------------------------

/// A text from outside as a label may hold it: UTF-8, of bounded length.
std::string clean_label(std::string_view text) {
    std::string out;
    while (!text.empty() && out.size() < most_label_bytes) {
        const unicode::decoded d = unicode::decode(text);
        if (d.size == 0) {
            out += "\uFFFD";
        } else if (out.size() + d.size <= most_label_bytes) {
            out += text.substr(0, d.size);
        } else {
            break;
        }
        text.remove_prefix(d.size == 0 ? std::max<std::size_t>(d.bad, 1) : d.size);
    }
    return out;
}

std::string number(double n) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr};
}

/// Writes the exposition format: `name{label="value"} 3`.
class exposition_writer {
public:
    void family(std::string_view name, std::string_view type, std::string_view help) {
        text_.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ");
        text_.append(name).append(" ").append(type).append("\n");
    }
    void begin(std::string_view name, std::string_view suffix = {}) {
        text_.append(name).append(suffix);
        opener_ = '{';
    }
    void label(std::string_view name, std::string_view value) {
        text_ += opener_;
        opener_ = ',';
        text_.append(name).append("=\"");
        for (const char c : value) {
            if (c == '\n') {
                text_ += "\\n";
                continue;
            }
            if (c == '"' || c == '\\') { text_ += '\\'; }
            text_ += c;
        }
        text_ += '"';
    }
    void value(std::string_view digits) {
        if (opener_ == ',') { text_ += '}'; }
        text_.append(" ").append(digits).append("\n");
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
    char opener_ = '{';
};

template <std::size_t Labels>
using label_names = std::array<std::string_view, Labels>;

template <std::size_t Labels>
void write_counters(exposition_writer& w, std::string_view name, std::string_view help,
                    const label_names<Labels>& names, const series<counter, Labels>& s) {
    w.family(name, "counter", help);
    for (const auto& e : s.entries()) {
        w.begin(name);
        for (std::size_t i = 0; i < Labels; ++i) { w.label(names[i], (*e.labels)[i]); }
        w.value(std::to_string(e.cell->value.load(std::memory_order_relaxed)));
    }
}

/// Values are shown divided by `unit`.
template <const auto& Bounds, std::size_t Labels>
void write_histograms(exposition_writer& w, std::string_view name, std::string_view help, double unit,
                      const label_names<Labels>& names, const series<histogram<Bounds>, Labels>& s) {
    w.family(name, "histogram", help);
    for (const auto& e : s.entries()) {
        const auto begin = [&](std::string_view suffix) {
            w.begin(name, suffix);
            for (std::size_t i = 0; i < Labels; ++i) { w.label(names[i], (*e.labels)[i]); }
        };
        std::uint64_t below = 0;
        for (std::size_t i = 0; i <= std::size(Bounds); ++i) {
            below += e.cell->counts[i].load(std::memory_order_relaxed);
            begin("_bucket");
            w.label("le", i == std::size(Bounds) ? "+Inf" : number(static_cast<double>(Bounds[i]) / unit));
            w.value(std::to_string(below));
        }
        begin("_sum");
        w.value(number(static_cast<double>(e.cell->sum.load(std::memory_order_relaxed)) / unit));
        begin("_count"); // of the same reading as the buckets, so that they agree
        w.value(std::to_string(below));
    }
}

std::uint64_t count_of(std::chrono::nanoseconds d) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(d.count(), 0));
}

constexpr double in_seconds = 1e9;
constexpr std::string_view chat = "chat"; // the only operation there is

} // namespace

struct metrics::state {
    series<histogram<request_bounds>, 2> requests{most_series};
    series<histogram<operation_bounds>, 4> operations{most_series};
    series<histogram<first_token_bounds>, 3> first_tokens{most_series};
    series<histogram<token_bounds>, 4> tokens{most_series};
    series<counter, 1> healings{most_series};
    series<histogram<attempt_bounds>, 1> attempts{most_series};
    series<counter, 1> edits{most_series};
    series<counter, 1> stopped{most_series};
    series<counter, 1> models{most_models};
    std::atomic<std::int64_t> in_flight{0};
    std::atomic<std::int64_t> streams_open{0};

    /// The label of a model: its name, as long as there are not too many. `kept` holds it.
    std::string_view model_label(std::string_view model, std::string& kept) {
        const bool plain = model.size() <= most_label_bytes &&
                           std::all_of(model.begin(), model.end(), [](char c) { return (c & 0x80) == 0; });
        if (!plain) {
            kept = clean_label(model);
            model = kept;
        }
        return models.tells_apart({model}) ? model : "other";
    }
};

metrics::metrics() : state_(std::make_unique<state>()) {}
metrics::~metrics() = default;

void metrics::answered(std::string_view route, int status, std::chrono::nanoseconds took) {
    std::array<char, 12> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), status).ptr;
    const std::string_view code(digits.data(), static_cast<std::size_t>(end - digits.data()));
    state_->requests.at({route, code}).put(count_of(took));
}

void metrics::generation(std::string_view upstream, std::string_view model, std::string_view outcome,
                         std::chrono::nanoseconds took) {
    std::string kept;
    const std::string_view error = outcome == "ok" ? std::string_view() : outcome;
    state_->operations.at({chat, upstream, state_->model_label(model, kept), error}).put(count_of(took));
}

void metrics::tokens(std::string_view upstream, std::string_view model, std::int64_t input,
                     std::int64_t output) {
    std::string kept;
    const std::string_view label = state_->model_label(model, kept);
    const auto put = [&](std::string_view type, std::int64_t n) {
        if (n >= 0) { state_->tokens.at({chat, upstream, label, type}).put(static_cast<std::uint64_t>(n)); }
    };
    put("input", input);
    put("output", output);
}

void metrics::first_token(std::string_view upstream, std::string_view model, std::chrono::nanoseconds took) {
    std::string kept;
    state_->first_tokens.at({chat, upstream, state_->model_label(model, kept)}).put(count_of(took));
}

void metrics::healing(std::string_view outcome, std::uint64_t attempts) {
    state_->healings.at({outcome}).add(1);
    state_->attempts.at({outcome}).put(attempts);
}

void metrics::rule_used(std::string_view rule, std::uint64_t times) { state_->edits.at({rule}).add(times); }

void metrics::stopped_early(std::string_view upstream) { state_->stopped.at({upstream}).add(1); }

void metrics::request_began() { state_->in_flight.fetch_add(1, std::memory_order_relaxed); }
void metrics::request_ended() { state_->in_flight.fetch_sub(1, std::memory_order_relaxed); }
void metrics::stream_began() { state_->streams_open.fetch_add(1, std::memory_order_relaxed); }
void metrics::stream_ended() { state_->streams_open.fetch_sub(1, std::memory_order_relaxed); }

std::string metrics::exposition() const {
    constexpr std::string_view operation = "gen_ai_operation_name", system = "gen_ai_system",
                               model = "gen_ai_request_model";
    const state& s = *state_;
    exposition_writer w;
    w.family("jsonheal_build_info", "gauge", "The version that runs.");
    w.begin("jsonheal_build_info");
    w.label("version", version);
    w.value("1");
    const auto gauge = [&](std::string_view name, std::string_view help, const std::atomic<std::int64_t>& n) {
        w.family(name, "gauge", help);
        w.begin(name);
        w.value(std::to_string(n.load(std::memory_order_relaxed)));
    };
    gauge("jsonheal_requests_in_flight", "Requests that are being answered.", s.in_flight);
    gauge("jsonheal_streams_open", "Streams that are being sent.", s.streams_open);
    write_histograms(w, "http_server_request_duration_seconds",
                     "Time from a request to the end of its answer.", in_seconds,
                     label_names<2>{"http_route", "http_response_status_code"}, s.requests);
    write_histograms(w, "gen_ai_client_operation_duration_seconds", "Time of one call of an upstream.",
                     in_seconds, label_names<4>{operation, system, model, "error_type"}, s.operations);
    write_histograms(w, "gen_ai_server_time_to_first_token_seconds", "Time to the first piece of a stream.",
                     in_seconds, label_names<3>{operation, system, model}, s.first_tokens);
    write_histograms(w, "gen_ai_client_token_usage", "Tokens of one call of an upstream.", 1,
                     label_names<4>{operation, system, model, "gen_ai_token_type"}, s.tokens);
    write_counters(w, "jsonheal_healings_total", "Answers that were to be healed, by what became of them.",
                   label_names<1>{"outcome"}, s.healings);
    write_histograms(w, "jsonheal_attempts", "Generations that one answer took.", 1,
                     label_names<1>{"outcome"}, s.attempts);
    write_counters(w, "jsonheal_edits_total", "Repairs and coercions, by rule.", label_names<1>{"rule"},
                   s.edits);
    write_counters(w, "jsonheal_stopped_early_total", "Generations stopped because they could no longer fit.",
                   label_names<1>{system}, s.stopped);
    return w.take();
}

} // namespace jsonheal::gateway
