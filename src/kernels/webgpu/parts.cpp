#include "kernels/webgpu/parts.hpp"

#include <algorithm>

namespace attn::kernels::gpu {
namespace {

/// A product whose rows of C may lie further apart than its columns are many, since it is part of a wider one.
struct Part {
  MatmulArgs x;
  std::size_t c_row;

  // Floats from the first to the last that is read or written.
  std::size_t a() const { return (x.batch - 1) * x.a_batch + (x.m - 1) * x.a_row + (x.k - 1) * x.a_column + 1; }
  std::size_t b() const { return (x.batch - 1) * x.b_batch + (x.k - 1) * x.b_row + (x.n - 1) * x.b_column + 1; }
  std::size_t c() const { return x.batch * x.m * x.n; }
  std::size_t c_range() const { return (x.batch * x.m - 1) * c_row + x.n; }
  std::size_t start() const { return x.accumulate ? c_range() : x.bias != nullptr ? x.n : 0; }
};

std::size_t tiles(std::size_t n, std::size_t tile) { return (n + tile - 1) / tile; }

bool within(const Part& p, const Limits& limits) {
  const std::size_t floats = limits.bytes / sizeof(float);
  return std::max({p.a(), p.b(), p.c(), p.start()}) <= floats && p.x.batch <= limits.groups &&
         tiles(p.x.m, limits.tile) <= limits.groups && tiles(p.x.n, limits.tile) <= limits.groups;
}

void cut_batch(Part& first, Part& second) {
  const std::size_t half = first.x.batch / 2;
  first.x.batch = half;
  second.x.batch -= half;
  second.x.a += half * second.x.a_batch;
  second.x.b += half * second.x.b_batch;
  second.x.c += half * second.x.m * second.x.n;
}

void cut_rows(Part& first, Part& second) {
  const std::size_t half = first.x.m / 2;
  first.x.m = half;
  second.x.m -= half;
  second.x.a += half * second.x.a_row;
  second.x.c += half * second.c_row;
}

void cut_columns(Part& first, Part& second) {
  const std::size_t half = first.x.n / 2;
  first.x.n = half;
  second.x.n -= half;
  second.x.b += half * second.x.b_column;
  second.x.c += half;
  if (second.x.bias != nullptr) second.x.bias += half;
}

/// False if the part is too large and cannot be cut where it is.
bool cut(const Part& part, const Limits& limits, std::vector<Part>& out) {
  if (within(part, limits)) return out.push_back(part), true;
  Part first = part, second = part;
  const bool rows = part.a() >= part.b() || tiles(part.x.m, limits.tile) > limits.groups;
  if (part.x.batch > 1)
    cut_batch(first, second);
  else if (part.x.m > 1 && (rows || part.x.n == 1))
    cut_rows(first, second);
  else if (part.x.n > 1)
    cut_columns(first, second);
  else
    return false;
  return cut(first, limits, out) && cut(second, limits, out);
}

std::uint32_t word(std::size_t x) { return static_cast<std::uint32_t>(x); }

Operand operand(const float* at, std::size_t floats, std::uint64_t version) {
  return {word(reinterpret_cast<std::uintptr_t>(at)), word(floats), static_cast<std::uint32_t>(version),
          static_cast<std::uint32_t>(version >> 32U)};
}

Job job_of(const Part& p, const Limits& limits) {
  const MatmulArgs& x = p.x;
  Job job{};
  job.a = operand(x.a, p.a(), x.a_version);
  job.b = operand(x.b, p.b(), x.b_version);
  if (p.start() > 0) job.start = operand(x.accumulate ? x.c : x.bias, p.start(), 0);
  job.c = word(reinterpret_cast<std::uintptr_t>(x.c));
  job.c_floats = word(p.c());
  job.c_row = word(p.c_row);
  job.product = {word(x.m),
                 word(x.n),
                 word(x.k),
                 p.start() > 0 ? 1U : 0U,
                 word(x.a_batch),
                 word(x.a_row),
                 word(x.a_column),
                 word(x.b_batch),
                 word(x.b_row),
                 word(x.b_column),
                 0,
                 0};
  if (x.accumulate) {
    job.product.start_batch = word(x.m * p.c_row);
    job.product.start_row = word(p.c_row);
  }
  job.groups[0] = word(tiles(x.n, limits.tile));
  job.groups[1] = word(tiles(x.m, limits.tile));
  job.groups[2] = word(x.batch);
  return job;
}

std::size_t bytes_of(const Job& job) {
  return sizeof(float) * (std::size_t{job.a.floats} + job.b.floats + job.start.floats + job.c_floats);
}

}  // namespace

std::size_t bytes_of(const std::vector<Job>& jobs) {
  std::size_t sum = 0;
  for (const Job& job : jobs) sum += bytes_of(job);
  return sum;
}

std::vector<std::vector<Job>> submissions_of(std::span<const MatmulArgs> products, const Limits& limits,
                                             std::size_t bytes) {
  std::vector<Part> parts;
  bool adds = false;
  for (const MatmulArgs& x : products) {
    if (x.batch * x.m * x.n * x.k == 0) continue;
    adds = adds || x.accumulate;
    if (!cut({x, x.n}, limits, parts)) return {};
  }
  std::vector<std::vector<Job>> out;
  std::size_t sum = 0;
  for (const Part& part : parts) {
    const Job job = job_of(part, limits);
    const std::size_t more = bytes_of(job);
    if (out.empty() || sum + more > bytes) {
      out.emplace_back();
      sum = 0;
    }
    out.back().push_back(job);
    sum += more;
  }
  if (adds && out.size() > 1) return {};
  return out;
}

}  // namespace attn::kernels::gpu
