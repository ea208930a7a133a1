/// @file batch_pipeline.hpp
/// Lines in, lines out, in order, by several threads, in bounded memory.
#pragma once

#include "files.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace jsonheal::cli {

/// Answers one line (without its line end): appends to `out`, without a line end. Called by one thread only.
using line_answerer = std::function<void(std::string_view line, std::uint64_t number, std::string& out)>;

struct pipeline_options {
    unsigned jobs = 1; ///< threads that answer; the reader and the writer come on top
    std::size_t bytes_in_flight =
        32u << 20; ///< what may be read but not yet written; one longer line passes alone
    std::uint64_t longest_line =
        0xFFFF'FFFEull; ///< a longer one is skipped and answered with `answer_to_long_line`
    std::string answer_to_long_line;
};

/// A reader thread cuts the input into blocks of whole lines, workers answer blocks, and the calling thread
/// writes the answers in order.
///
/// Blocks wait in one queue in the order of the input: those at its front are done or being answered, those
/// behind `taken_` are not yet begun. A block goes out as soon as the bytes at hand hold a whole line, so
/// whoever writes one record and waits for its answer gets it.
class batch_pipeline {
public:
    /// `make_answerer` is called once a worker.
    batch_pipeline(pipeline_options options, std::function<line_answerer()> make_answerer);
    batch_pipeline(const batch_pipeline&) = delete;
    batch_pipeline& operator=(const batch_pipeline&) = delete;
    ~batch_pipeline();

    /// Runs to the end of the input, or until something cannot be read or written. Answers to all that was
    /// read are written first.
    [[nodiscard]] problem run(input_source& in, int out, std::string_view out_name);

private:
    struct block;
    class line_cutter;

    void read_all(input_source& in);
    [[nodiscard]] problem wait_readable(int number) const;
    void push(std::unique_ptr<block> b);
    void close_queue(problem p);
    [[nodiscard]] bool stopped();
    void work();
    void answer_block(block& b, const line_answerer& answer) const;
    [[nodiscard]] std::unique_ptr<block> pop_finished();
    [[nodiscard]] problem write_blocks(int out, std::string_view out_name);
    void stop();

    const pipeline_options options_;
    const std::function<line_answerer()> make_answerer_;
    descriptor wake_read_, wake_write_; ///< a pipe that wakes the reader up when all is over

    std::mutex mutex_; ///< guards all below
    std::condition_variable room_, work_, finished_;
    std::deque<std::unique_ptr<block>> queue_;
    std::size_t taken_ = 0; ///< blocks of the queue that a worker has, or has answered
    std::size_t bytes_ = 0; ///< of the blocks in the queue
    bool closed_ = false;   ///< nothing more comes
    bool stopped_ = false;  ///< nobody waits for answers any more
    problem read_problem_;
};

} // namespace jsonheal::cli
