// `attn`: the engine's verbs in the shell. Results on stdout, progress on stderr; a mistake is one line on stderr and exit code 2.
#include <iostream>

#include "cli/commands.hpp"
#include "tensor/error.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    return attn::cli::run(words);
  } catch (const attn::Error& e) {
    std::cerr << "attn: " << e.what() << "\n";
  } catch (const std::bad_alloc&) {
    std::cerr << "attn: out of memory\n";
  } catch (const std::exception& e) {
    std::cerr << "attn: " << e.what() << "\n";
  }
  return 2;
}
