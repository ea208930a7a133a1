#include "batch_pipeline.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace jsonheal::cli {

namespace {

constexpr std::size_t read_size = 64u << 10;
constexpr std::size_t block_size = 16u << 10; ///< small, so that little input still keeps every worker busy

} // namespace

/// Whole lines and, later, their answers.
struct batch_pipeline::block {
    std::string input; ///< lines with their line ends; the last line of the input may lack one
    std::uint64_t first_line = 0;
    std::uint64_t lines = 0;
    bool too_long = false; ///< stands for one line that was skipped
    std::string output;
    std::size_t charge = 0; ///< what the queue counts for it
    bool done = false;

    [[nodiscard]] std::size_t cost() const noexcept { return input.size() + output.size() + sizeof(block); }
};

/// Cuts what was read into blocks.
class batch_pipeline::line_cutter {
public:
    explicit line_cutter(batch_pipeline& pipeline) noexcept : pipeline_(pipeline) {}

    void take(std::string_view bytes) {
        if (first_) { // a byte order mark before the first line says nothing
            first_ = false;
            if (bytes.starts_with("\xEF\xBB\xBF")) { bytes.remove_prefix(3); }
        }
        while (!bytes.empty()) {
            const std::size_t end = open_ ? bytes.find('\n') : end_of_block(bytes);
            if (end == std::string_view::npos) {
                hold(bytes);
                return;
            }
            if (open_) {
                hold(bytes.substr(0, end + 1));
                finish();
            } else {
                push(std::string(bytes.substr(0, end + 1)));
            }
            bytes.remove_prefix(end + 1);
        }
    }

    /// The end of the input, or of a line that was held.
    void finish() {
        if (!open_) { return; }
        open_ = false;
        const bool too_long = std::exchange(too_long_, false);
        push(std::exchange(held_, {}), too_long);
    }

private:
    /// The last line end within a block's size, else the first behind it.
    static std::size_t end_of_block(std::string_view bytes) noexcept {
        const std::size_t end = bytes.substr(0, block_size).rfind('\n');
        return end != std::string_view::npos ? end : bytes.find('\n', std::min(block_size, bytes.size()));
    }

    /// Keeps a part of a line. Of one that is longer than the limit nothing is kept.
    void hold(std::string_view part) {
        open_ = true;
        if (too_long_) { return; }
        held_.append(part);
        const std::size_t line_end = held_.ends_with('\n') ? 1 : 0;
        if (held_.size() - line_end > pipeline_.options_.longest_line) {
            too_long_ = true;
            held_ = {};
        }
    }

    void push(std::string lines, bool too_long = false) {
        auto b = std::make_unique<block>();
        b->input = std::move(lines);
        b->too_long = too_long;
        b->first_line = next_line_;
        const auto ends = static_cast<std::uint64_t>(std::count(b->input.begin(), b->input.end(), '\n'));
        b->lines = too_long || !b->input.ends_with('\n') ? ends + 1 : ends;
        next_line_ += b->lines;
        pipeline_.push(std::move(b));
    }

    batch_pipeline& pipeline_;
    std::string held_; ///< the line whose end has not been read yet
    std::uint64_t next_line_ = 0;
    bool open_ = false; ///< there is such a line
    bool too_long_ = false;
    bool first_ = true;
};

batch_pipeline::batch_pipeline(pipeline_options options, std::function<line_answerer()> make_answerer)
    : options_(std::move(options)), make_answerer_(std::move(make_answerer)) {}

batch_pipeline::~batch_pipeline() = default;

problem batch_pipeline::run(input_source& in, int out, std::string_view out_name) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) { return system_message("cannot make a pipe", errno); }
    wake_read_ = descriptor(ends[0]);
    wake_write_ = descriptor(ends[1]);
    std::vector<std::thread> threads;
    threads.emplace_back([this, &in] { read_all(in); });
    for (unsigned n = 0; n != options_.jobs; ++n) {
        threads.emplace_back([this] { work(); });
    }
    problem failure = write_blocks(out, out_name);
    stop();
    for (std::thread& t : threads) { t.join(); }
    return failure ? failure : read_problem_;
}

// ---- the reader

/// Waits for input, or for the end of it all: a reader that sleeps in read() could not be woken up.
problem batch_pipeline::wait_readable(int number) const {
    pollfd both[2] = {{number, POLLIN, 0}, {wake_read_.get(), POLLIN, 0}};
    while (::poll(both, 2, -1) < 0) {
        if (errno != EINTR) { return system_message("cannot wait for input", errno); }
    }
    return std::nullopt;
}

void batch_pipeline::read_all(input_source& in) {
    line_cutter cutter(*this);
    std::vector<char> buffer(read_size);
    problem p;
    try {
        for (;;) {
            p = wait_readable(in.number());
            std::size_t got = 0;
            if (!p) { p = stopped() ? std::nullopt : in.read(buffer.data(), buffer.size(), got); }
            if (p || got == 0) { break; }
            cutter.take({buffer.data(), got});
        }
        cutter.finish();
    } catch (const std::bad_alloc&) { p = "there is not enough memory for a line of " + in.name(); }
    close_queue(std::move(p));
}

void batch_pipeline::push(std::unique_ptr<block> b) {
    b->charge = b->cost();
    std::unique_lock lock(mutex_);
    room_.wait(lock,
               [&] { return stopped_ || queue_.empty() || bytes_ + b->charge <= options_.bytes_in_flight; });
    if (stopped_) { return; }
    bytes_ += b->charge;
    queue_.push_back(std::move(b));
    work_.notify_one();
}

void batch_pipeline::close_queue(problem p) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    read_problem_ = std::move(p);
    work_.notify_all();
    finished_.notify_all();
}

bool batch_pipeline::stopped() {
    const std::lock_guard lock(mutex_);
    return stopped_;
}

// ---- the workers

void batch_pipeline::work() {
    const line_answerer answer = make_answerer_();
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [&] { return stopped_ || closed_ || taken_ != queue_.size(); });
        if (stopped_ || taken_ == queue_.size()) { return; }
        block& b = *queue_[taken_++]; // stays where it is until it is done
        lock.unlock();
        answer_block(b, answer);
        lock.lock();
        bytes_ += b.cost() - b.charge;
        b.charge = b.cost();
        b.done = true;
        finished_.notify_one();
        room_.notify_one();
    }
}

void batch_pipeline::answer_block(block& b, const line_answerer& answer) const {
    if (b.too_long) {
        b.output = options_.answer_to_long_line + "\n";
        return;
    }
    std::string_view rest = b.input;
    for (std::uint64_t n = 0; n != b.lines; ++n) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        answer(rest.substr(0, end), b.first_line + n, b.output);
        b.output.push_back('\n');
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    b.input = {};
}

// ---- the writer

/// The next block in order, once it is done; null at the end.
std::unique_ptr<batch_pipeline::block> batch_pipeline::pop_finished() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return queue_.empty() ? closed_ : queue_.front()->done; });
    if (queue_.empty()) { return nullptr; }
    std::unique_ptr<block> b = std::move(queue_.front());
    queue_.pop_front();
    --taken_;
    return b;
}

problem batch_pipeline::write_blocks(int out, std::string_view out_name) {
    while (const std::unique_ptr<block> b = pop_finished()) {
        if (problem p = write_all(out, b->output, out_name)) { return p; }
        const std::lock_guard lock(mutex_); // only now: a slow reader of our output must slow us down
        bytes_ -= b->charge;
        room_.notify_one();
    }
    return std::nullopt;
}

/// Ends the threads: at the end of the input there is nothing left for them, after a failed write nobody
/// waits.
void batch_pipeline::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    room_.notify_all();
    work_.notify_all();
    const char any = 0;
    (void)!::write(wake_write_.get(), &any, 1);
}

} // namespace jsonheal::cli
