// attn_fuzz TARGET SECONDS [SEED]   looks for bytes that break a reader; exits with 1 and leaves them in FOLDER if it finds some
// attn_fuzz TARGET --replay FILE…   runs files, as they are
// attn_fuzz TARGET --seeds FOLDER   writes the seeds, and the words as a dictionary, for another fuzzer
// attn_fuzz                         names the targets
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "fuzz/mutate.hpp"
#include "tensor/error.hpp"

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace {

using namespace attn;
using namespace attn::fuzz;

constexpr int kSlowest = 20;  // seconds an input may take, of the processor: the machine may be busy with other things
const std::string* running = nullptr;
std::string finding_path;

/// Called when the program is about to die, so as plainly as can be.
void keep_finding() {
  if (running == nullptr) return;
  std::ofstream(finding_path, std::ios::binary) << *running;
  std::fprintf(stderr, "\nfinding: %zu bytes in %s\n", running->size(), finding_path.c_str());
  running = nullptr;
}

void on_signal(int signal) {
  if (signal == SIGPROF) std::fprintf(stderr, "\nan input takes more than %d s\n", kSlowest);
  keep_finding();
  std::_Exit(1);
}

/// Begins anew to count the seconds; 0: no longer.
void allow(int seconds) {
  const itimerval limit = {{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

int write_seeds(const Target& target, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "seeds");
  int n = 0;
  for (const std::string& seed : target.seeds()) write(folder / "seeds" / std::to_string(n++), seed);
  std::ostringstream words;
  for (const std::string& word : target.words) {
    words << '"';
    for (const char c : word) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02X", static_cast<unsigned char>(c));
      words << escaped;
    }
    words << "\"\n";
  }
  write(folder / "words", words.str());
  return 0;
}

int replay(const Target& target, int count, char** files) {
  for (int i = 0; i < count; ++i) {
    std::ostringstream bytes;
    bytes << std::ifstream(files[i], std::ios::binary).rdbuf();
    const std::string outcome = target.run(bytes.str());
    std::printf("%s: %s\n", files[i], outcome.empty() ? "accepted" : outcome.c_str());
  }
  return 0;
}

int search(const Target& target, double seconds, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  Fuzzer fuzzer(target, seed);
  running = &fuzzer.input();
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::size_t inputs = 0;
  for (double shown = 0.0; passed() < seconds; ++inputs) {
    allow(kSlowest);
    fuzzer.step();
    if (passed() - shown < 1.0 && inputs != 0) continue;
    shown = passed();
    std::fprintf(stderr, "\r%s: %.0f of %.0f s, %zu inputs, %zu kept", target.name, shown, seconds, inputs,
                 fuzzer.kept());
  }
  allow(0);
  running = nullptr;
  std::fprintf(stderr, "\n");
  std::printf("%s: %zu inputs, %zu kept, nothing found\n", target.name, inputs, fuzzer.kept());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    for (const Target& t : targets()) std::printf("%s\n", t.name);
    return 0;
  }
  const std::string name = argv[1], what = argv[2];
  finding_path = (std::filesystem::temp_directory_path() / ("attn-fuzz-" + name)).string();
  if (const char* folder = std::getenv("ATTN_FUZZ_FINDINGS")) finding_path = std::string(folder) + "/" + name;
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep_finding);
  for (const int signal : {SIGPROF, SIGABRT}) std::signal(signal, on_signal);
  try {
    const Target& chosen = target(name);
    if (what == "--seeds") return write_seeds(chosen, argc > 3 ? argv[3] : ".");
    if (what == "--replay") return replay(chosen, argc - 3, argv + 3);
    return search(chosen, std::atof(what.c_str()), argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "\n%s: %s\n", name.c_str(), e.what());
    keep_finding();
    return 1;
  }
}
