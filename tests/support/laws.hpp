/// @file laws.hpp
/// The laws of the design as functions. Each takes what it judges and returns a text if the law is broken.
///
/// They need no test framework, so that the fuzzers use the same ones.
#pragma once

#include <jsonheal/heal.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jsonheal_test {

/// What is wrong; nothing if all is well.
using failure = std::optional<std::string>;

/// How a text is cut into chunks: the size of the next one, given where it begins. 0 counts as 1.
using chunking = std::function<std::size_t(std::size_t position)>;

[[nodiscard]] chunking chunks_of(std::size_t size);
[[nodiscard]] chunking split_at(std::size_t position); ///< two chunks
[[nodiscard]] chunking random_chunks(std::uint64_t seed, std::size_t longest);

/// What a stream did: its outcome, and all it handed out on the way.
struct streamed {
    jsonheal::healing outcome;
    std::string settled;       ///< every byte as it was when first handed out
    failure broken;            ///< `settled` shrank, or settled something in the wrong preset
    std::size_t most_held = 0; ///< largest distance between bytes fed and bytes settled
};
/// Feeds a text in chunks and watches `settled()` at every step.
[[nodiscard]] streamed stream(std::string_view text, const jsonheal::heal_options& options,
                              const chunking& chunks);
/// The same with a healer that was used before.
[[nodiscard]] streamed stream(jsonheal::healer& h, std::string_view text,
                              const jsonheal::heal_options& options, const chunking& chunks);

/// Law 1. `valid` must be valid JSON within the limits: both faces, fast path on and off.
[[nodiscard]] failure check_identity(std::string_view valid, jsonheal::heal_options options);
/// Law 2, where the log is kept.
[[nodiscard]] failure check_proof(std::string_view input, const jsonheal::healing& h);
/// The text of every outcome is strict JSON, in UTF-8, within the limit of depth.
[[nodiscard]] failure check_strict(const jsonheal::healing& h, const jsonheal::heal_options& options);
/// Law 3: every edit has the shape of its rule, every number and literal is a spelling of its source.
[[nodiscard]] failure check_nothing_invented(std::string_view input, const jsonheal::healing& h,
                                             const jsonheal::heal_options& options);
/// Law 4: verdict, cut, risk and reason agree with each other and with the log.
[[nodiscard]] failure check_verdict(std::string_view input, const jsonheal::healing& h,
                                    const jsonheal::heal_options& options);
/// Laws 5 and 6: a stream with these chunks does as the one-shot outcome `h`.
[[nodiscard]] failure check_same_answer(std::string_view input, const jsonheal::healing& h,
                                        const jsonheal::heal_options& options, const chunking& chunks);
/// Laws 5 and 6 of a stream that is drained after every chunk: what was handed over and the rest are the outcome `h`,
/// text and log. Snapshots are strict JSON, only grow, and depend on the bytes alone.
[[nodiscard]] failure check_drained(std::string_view input, const jsonheal::healing& h,
                                    const jsonheal::heal_options& options, const chunking& chunks);
/// Law 7.
[[nodiscard]] failure check_idempotent(const jsonheal::healing& h, const jsonheal::heal_options& options);
/// Law 8, the part that can be counted.
[[nodiscard]] failure check_bounds(std::string_view input, const jsonheal::healing& h);
/// Law 4: every lower ceiling of risk, and every rule of the log forbidden, refuse for the right reason; any other
/// rule forbidden changes nothing.
[[nodiscard]] failure check_ceilings(std::string_view input, const jsonheal::healing& h,
                                     const jsonheal::heal_options& options);
/// The log's policy changes nothing but the log.
[[nodiscard]] failure check_log_policies(std::string_view input, const jsonheal::healing& h,
                                         const jsonheal::heal_options& options);

/// Asked to list the candidates, the engine answers the same; each is strict JSON of its own place, in order.
[[nodiscard]] failure check_candidates(std::string_view input, const jsonheal::healing& h,
                                       const jsonheal::heal_options& options);

/// Do two outcomes agree in all that a caller sees?
[[nodiscard]] failure compare(const jsonheal::healing& want, const jsonheal::healing& got,
                              std::string_view what);

/// The laws that one healing can be judged by: 2, 3, 4, 8, and identity if the text is valid.
[[nodiscard]] failure check_outcome(std::string_view input, const jsonheal::heal_options& options,
                                    const jsonheal::healing& h);
/// All laws: one healing, then the streams, ceilings, policies and the second healing.
[[nodiscard]] failure check_all(std::string_view input, const jsonheal::heal_options& options,
                                const std::vector<chunking>& chunks);

} // namespace jsonheal_test
