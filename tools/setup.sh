# shellcheck shell=bash
# Puts in place what a verb needs. Each part has a plan_* that looks, and writes down what
# is missing, and a make_* that does it: so all of Debian's packages come in one apt call,
# and a machine where it cannot work hears of everything at once.

# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tools/debian13.sh
. "$ROOT/tools/debian13.sh"

OLDEST_EMSCRIPTEN=3.1.69
OLDEST_NODE=20.19.0
TOOLCHAIN=$BUILD/toolchain

packages=() # of Debian, to be installed
problems=() # for which there is no package

# 13 on Debian 13, "unknown" on an unreleased Debian, nothing elsewhere.
debian_release() {
  [ "$(os_release ID)" = debian ] || return 0
  os_release VERSION_ID | grep . || echo unknown
}
installed() { dpkg -s "$1" 2>/dev/null | grep -q '^Status: install ok installed'; }

# want COMMAND PACKAGE : a program that a package of Debian brings.
want() {
  have "$1" && return
  if have apt-get; then packages+=("$2"); else problems+=("$1"); fi
}

# --- the native build: a compiler, CMake, Ninja, and the header libraries ---

plan_native() {
  have g++ || have clang++ || want g++ g++
  want cmake cmake
  want ninja ninja-build
  if have cmake && ! at_least "$(first_version "$(cmake --version)")" 3.25; then
    problems+=("CMake 3.25 or newer")
  fi
  if [ "$(debian_release)" = 13 ]; then
    local package
    for package in "${HEADER_PACKAGES[@]}"; do
      installed "$package" || packages+=("$package")
    done
  fi
}

# Debian 13 has the right versions; beside any other Debian they get a private prefix;
# elsewhere CMake finds them or fetches them.
make_native() {
  [ "$(debian_release)" = 13 ] && return
  debian13_possible || return 0
  if [ ! -d "$HEADERS_PREFIX" ]; then
    timed "C++ libraries of Debian 13 into $HEADERS_PREFIX" locked make_headers_prefix
  fi
  link "$HEADERS_PREFIX" headers
}

# --- Emscripten ---

# The folder of a usable Emscripten: in PATH, then EMSDK, then the private prefix.
find_emscripten() {
  local emcc folder
  for emcc in "$(command -v emcc)" "${EMSDK:-/nowhere}/upstream/emscripten/emcc" \
    "$EMSCRIPTEN_PREFIX/usr/share/emscripten/emcc"; do
    [ -x "$emcc" ] || continue
    folder=$(dirname "$(readlink -f "$emcc")")
    if at_least "$(emscripten_version "$folder")" "$OLDEST_EMSCRIPTEN"; then
      echo "$folder"
      return
    fi
  done
  return 1
}

emscripten_version() {
  first_version "$(cat "$1/emscripten-version.txt" 2>/dev/null || "$1/emcc" --version)"
}

plan_emscripten() {
  want python3 python3
  find_emscripten >/dev/null && return
  if [ "$(debian_release)" = 13 ]; then
    packages+=(emscripten)
  elif debian13_possible; then
    want patchelf patchelf
  else
    problems+=("Emscripten $OLDEST_EMSCRIPTEN or newer (with emsdk: emsdk install latest, emsdk activate latest, and its emcc in PATH)")
  fi
}

make_emscripten() {
  if ! find_emscripten >/dev/null; then
    timed "Emscripten of Debian 13 into $EMSCRIPTEN_PREFIX" locked make_emscripten_prefix
  fi
  link "$(find_emscripten)" emscripten
}

# --- Node and the page's packages ---

plan_node() {
  if have node; then
    at_least "$(first_version "$(node --version)")" "$OLDEST_NODE" || problems+=("Node $OLDEST_NODE or newer")
    want npm npm
  elif [ "$(debian_release)" = 13 ]; then
    packages+=(nodejs npm)
  else
    problems+=("Node $OLDEST_NODE or newer, with npm")
  fi
}

make_node() {
  node "$ROOT/tools/npm-is-current.mjs" "$ROOT/web" && return
  timed "packages of the page" npm_ci web ||
    fail "The page's packages could not be installed (see $NPM_LOG): check the network and call this again."
}
NPM_LOG=$BUILD/npm.log

# The peers of the bench have a folder of their own: nobody else needs their 470 MB.
plan_bench() { :; }
make_bench() {
  node "$ROOT/tools/npm-is-current.mjs" "$ROOT/tests/bench" && return
  timed "packages of the bench" npm_ci tests/bench ||
    fail "The bench's packages could not be installed (see $NPM_LOG): check the network and call this again."
}

# npm_ci FOLDER
npm_ci() {
  local total
  total=$(grep -c '^    "node_modules/' "$ROOT/$1/package-lock.json")
  mkdir -p "$BUILD"
  : >"$NPM_LOG"
  while_progress "fetched, of about $total:" grep -c 'http.*\.tgz' "$NPM_LOG" -- npm_ci_quietly "$1" || return
  progress_end "installed $total packages"
}
npm_ci_quietly() { (cd "$ROOT/$1" && npm ci --no-audit --no-fund --no-progress --loglevel=http >>"$NPM_LOG" 2>&1); }

# --- the browser of the tests, and PyTorch for the goldens ---

plan_browser() {
  if [ -n "${CHROMIUM:-}" ]; then
    have "$CHROMIUM" || problems+=("the browser that CHROMIUM names ($CHROMIUM)")
    return
  fi
  want chromium chromium
  # Without them a picture of a Chinese page shows boxes.
  if have apt-get; then installed fonts-noto-cjk || packages+=(fonts-noto-cjk); fi
}
make_browser() { :; }

# wanted_packages PACKAGE… : of a Debian; elsewhere whoever wants them brings the programs and says where.
wanted_packages() {
  local package
  for package; do installed "$package" || packages+=("$package"); done
}

# The second and the third browser: FIREFOX and WEBKIT name others. Mesa brings the adapter of Firefox's WebGPU.
plan_firefox() {
  if [ -n "${FIREFOX:-}" ]; then
    have "$FIREFOX" || problems+=("the browser that FIREFOX names ($FIREFOX)")
  elif have apt-get; then
    wanted_packages firefox-esr mesa-vulkan-drivers
  else
    want firefox-esr firefox-esr
  fi
}
make_firefox() { :; }

plan_webkit() {
  if have apt-get; then
    wanted_packages webkit2gtk-driver libwebkit2gtk-4.1-0 xvfb xauth
  else
    want WebKitWebDriver webkit2gtk-driver
    want xvfb-run xvfb
  fi
}
make_webkit() { :; }

# Debian's own interpreter: its torch is not for another Python that comes first in PATH.
plan_torch() {
  /usr/bin/python3 -c 'import torch' 2>/dev/null && return
  if have apt-get; then packages+=(python3-torch); else problems+=("PyTorch for /usr/bin/python3"); fi
}
make_torch() { :; }

# --- all together ---

# link TARGET NAME : CMake finds what was chosen under build/toolchain, whoever calls it.
link() {
  mkdir -p "$TOOLCHAIN"
  ln -sfn "$1" "$TOOLCHAIN/$2"
}

# need PART… : look at everything first, install once, then make each part.
need() {
  local part
  packages=() problems=()
  for part; do
    declare -F "plan_$part" >/dev/null || fail "There is no part '$part': native, emscripten, node, browser, firefox, webkit, bench, torch."
  done
  for part; do "plan_$part"; done
  if [ ${#problems[@]} -gt 0 ]; then fail "Install $(and_list "${problems[@]}"), then call this again."; fi
  if [ ${#packages[@]} -gt 0 ]; then apt_install "${packages[@]}"; fi
  for part; do "make_$part"; done
}

and_list() {
  local text=$1
  shift
  for item; do text+=" and $item"; done
  printf '%s' "$text"
}

apt_install() {
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo)
    if ! { have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }; then
      fail "Install Debian's packages first, as root: apt-get install $*"
    fi
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -o DPkg::Lock::Timeout=300)
  say "installing Debian's packages: $*"
  { "${as_root[@]}" update && "${as_root[@]}" install -y --no-install-recommends "$@"; } 2>&1 |
    apt_progress || fail "Debian's packages $* could not be installed (see $SETUP_LOG): check the network and call this again."
  progress_end "installed $# packages and what they need"
}

apt_progress() {
  local line
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$SETUP_LOG"
    case $line in Get:* | Unpacking* | "Setting up"*) progress "${line:0:100}" ;; esac
  done
}
