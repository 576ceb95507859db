# shellcheck shell=bash
# ./run fuzz [TARGET…] [SECONDS]: each reader of bytes that nobody vouches for (tests/fuzz), or those named, under the address
# and undefined-behaviour sanitizers. By coverage with clang's libFuzzer where it is there, otherwise by the driver of our own.
# What is found lies in build/fuzz, and the exit code is 1.

FUZZ=$BUILD/fuzz

# Debian's clang comes with libFuzzer or without, so the linker is asked.
has_libfuzzer() {
  have clang++ && mkdir -p "$FUZZ" &&
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
    clang++ -x c++ - -fsanitize=fuzzer,address -o "$FUZZ/probe" 2>/dev/null
}

# fuzz_one TARGET SECONDS
fuzz_one() {
  mkdir -p "$FUZZ/$1"
  if [ "$fuzzer" = own ]; then
    ATTN_FUZZ_FINDINGS=$FUZZ "$folder/attn_fuzz" "$1" "$2"
  else
    "$folder/attn_fuzz" "$1" --seeds "$FUZZ/$1"
    ATTN_FUZZ_TARGET=$1 "$folder/attn_libfuzzer" -max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -max_len=65536 \
      -dict="$FUZZ/$1/words" -artifact_prefix="$FUZZ/$1-" -print_final_stats=1 -verbosity=0 "$FUZZ/$1" "$FUZZ/$1/seeds"
  fi
}

fuzz() {
  local seconds=60 fuzzer=own folder=$BUILD/native-debug targets=() target failed=0
  while [ $# -gt 0 ]; do
    case $1 in *[!0-9]*) targets+=("$1") ;; *) seconds=$1 ;; esac
    shift
  done
  if [ "${ATTN_FUZZER:-}" != own ] && has_libfuzzer; then
    fuzzer=libfuzzer folder=$BUILD/native-fuzz
    cmake_build native-fuzz "the readers, under libFuzzer and sanitizers" attn_libfuzzer attn_fuzz
  else
    cmake_build native-debug "the readers, under sanitizers" attn_fuzz
  fi
  mkdir -p "$FUZZ"
  [ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$folder/attn_fuzz")
  for target in "${targets[@]}"; do
    timed "$target, $seconds s" fuzz_one "$target" "$seconds" || failed=1
  done
  return "$failed"
}
