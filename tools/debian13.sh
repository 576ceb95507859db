# shellcheck shell=bash
# A private prefix with programs and headers of Debian 13 for machines whose own are too
# old (Debian 12). Nothing of the system changes, and no root is needed.
#
# A prefix is unpacked beside its final name and renamed as the last act: its existence is
# the stamp, and an interrupted set-up leaves only whole packages, which are reused.

EMSCRIPTEN_PREFIX=$CACHE/debian13-emscripten-3.1.69-1
HEADERS_PREFIX=$CACHE/debian13-headers-1

HEADER_PACKAGES=(libxtensor-dev xtl-dev libxsimd-dev doctest-dev nlohmann-json3-dev)
EMSCRIPTEN_PACKAGES=(
  emscripten binaryen clang-19 lld-19 llvm-19 libllvm19 libclang-cpp19 libclang-common-19-dev
  libc6 libstdc++6 libgcc-s1 libz3-4 libzstd1 libxml2 libicu76 liblzma5 zlib1g libtinfo6
  libedit2 libffi8 libbsd0 libmd0 node-acorn node-xtend
)
# What a build of ours never reads: 2.0 GB become 0.6.
EMSCRIPTEN_LEFT_OUT=(
  ./usr/share/doc ./usr/share/man ./usr/share/lintian ./usr/share/emscripten/test
  './usr/share/emscripten/ChangeLog*'
  '*/sysroot/lib/wasm64*' '*/wasm32-emscripten/*lto*' '*/wasm32-emscripten/pic'
  '*/wasm32-emscripten/libwasmfs*' '*/wasm32-emscripten/lib*san*'
  '*/wasm32-emscripten/*-asan*' '*/wasm32-emscripten/*-ww*'
)


# The mirror that this machine's apt uses for Debian itself: no host stands in this script.
# apt reads both forms of its sources for us.
debian_mirror() {
  local release
  release=$(os_release VERSION_CODENAME)
  # shellcheck disable=SC2016 # apt fills these in
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v release="$release" '$3 == "main" && ($2 == release || $2 == "stable") {
      if ($1 ~ /\/debian\/?$/) { print $1; found = 1; exit }
      if (!other) other = $1
    } END { if (!found && other) print other }'
}

debian13_possible() {
  have apt-get && have dpkg-deb && [ -r "$DEBIAN_KEYRING" ] && [ -n "$(debian_mirror)" ]
}
DEBIAN_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# apt with a state of its own; what the machine says of proxies and credentials still counts.
private_apt() { APT_CONFIG=$CACHE/apt/apt.conf LC_ALL=C apt-get -q "$@" 2>>"$SETUP_LOG"; }

private_apt_update() {
  local apt=$CACHE/apt
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
  : >"$apt/status"
  echo "deb [signed-by=$DEBIAN_KEYRING] $(debian_mirror) trixie main" >"$apt/sources.list"
  cat >"$apt/apt.conf" <<EOF
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
APT::Sandbox::User "root";
Acquire::Retries "3";
EOF
  private_apt update >>"$SETUP_LOG"
}

# download FOLDER PACKAGE… : apt checks each file, keeps the whole ones and goes on with the
# cut ones. FOLDER/files lists what belongs to this download.
download() {
  local folder=$1 total
  shift
  mkdir -p "$folder"
  # Lines: 'address' file size hash. Asked from elsewhere, or apt leaves out what is there.
  (cd / && private_apt download --print-uris "$@") >"$folder/list" || return
  awk '{ print $2 }' "$folder/list" >"$folder/files"
  total=$(awk '{ sum += $3 } END { print int(sum / 1e6) }' "$folder/list")
  while_progress "downloading, of $total MB:" size_in_mb "$folder" -- download_into "$folder" "$@" || return
  progress_end "downloaded $# packages, $total MB"
}
download_into() { (cd "$1" && shift && private_apt download "$@" >>"$SETUP_LOG"); }
size_in_mb() { du -sm "$1" 2>/dev/null | cut -f1; }

# unpack FOLDER INTO [EXCLUDED…]
unpack() {
  local folder=$1 into=$2 count=0 options=() debs pattern deb
  shift 2
  for pattern; do options+=("--exclude=$pattern"); done
  mapfile -t debs <"$folder/files"
  rm -rf "$into"
  mkdir -p "$into"
  for deb in "${debs[@]}"; do
    count=$((count + 1))
    progress "unpacking $count of ${#debs[@]}: ${deb%%_*}"
    dpkg-deb --fsys-tarfile "$folder/$deb" | tar -x -C "$into" --no-same-owner "${options[@]}" || return
  done
  progress_end "unpacked ${#debs[@]} packages, $(size_in_mb "$into") MB"
}

# make_prefix PREFIX FINISH PACKAGE… -- [EXCLUDED…]
# FINISH PREFIX NEW makes the unpacked tree NEW ready to live at PREFIX.
make_prefix() {
  local prefix=$1 finish=$2 packages=()
  shift 2
  while [ "$1" != -- ]; do
    packages+=("$1")
    shift
  done
  shift
  [ -d "$prefix" ] && return # another set-up made it while this one waited
  if ! { private_apt_update && download "$prefix.debs" "${packages[@]}"; }; then
    fail "Debian 13's packages could not be downloaded (see $SETUP_LOG): check the network and call this again, it goes on where it stopped."
  fi
  if ! { unpack "$prefix.debs" "$prefix.new" "$@" && "$finish" "$prefix" "$prefix.new"; }; then
    fail "Debian 13's packages could not be made ready in $CACHE: is the disk full?"
  fi
  mv "$prefix.new" "$prefix"
  rm -rf "$prefix.debs"
}

# CMake looks in PREFIX/include and PREFIX/{lib,share}/cmake; Debian unpacks under usr/, and
# one of its packages (doctest) says that it lies in /usr, wherever it lies.
finish_headers() {
  local prefix=$1 new=$2
  mv "$new"/usr/* "$new"/ && rmdir "$new/usr" &&
    find "$new" -name '*Targets.cmake' -exec sed -i "s|set(_IMPORT_PREFIX \"/usr\")|set(_IMPORT_PREFIX \"$prefix\")|" {} +
}

# The programs were linked against a newer libc than the machine's: they get the prefix's
# own loader and libraries. RPATH, not RUNPATH, so that it holds for libraries of libraries.
finish_emscripten() {
  local prefix=$1 new=$2 libraries loader program file
  libraries=$(cd "$new" && echo usr/lib/*-linux-gnu*)
  loader=$(cd "$new/$libraries" && echo ld-linux*.so.*)
  for program in "$new"/usr/lib/llvm-19/bin/{clang,lld,llvm-ar,llvm-nm,llvm-objcopy,llvm-dwarfdump} \
    "$new"/usr/bin/wasm-{opt,emscripten-finalize,metadce,ctor-eval,split,merge}; do
    patchelf --set-interpreter "$prefix/$libraries/$loader" \
      --force-rpath --set-rpath "$prefix/$libraries" "$(readlink -f "$program")" || return
  done
  for file in libLLVM.so.19.1 libclang-cpp.so.19.1; do # their own RUNPATH hides the program's
    patchelf --remove-rpath "$(readlink -f "$new/$libraries/$file")" || return
  done
  ln -sfn ../nodejs "$new/usr/share/emscripten/node_modules" # acorn, at link time
  # Beside emcc this file is found without any variable in the environment. It is Python.
  cat >"$new/usr/share/emscripten/.emscripten" <<EOF
LLVM_ROOT = '$prefix/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '$prefix/usr'
NODE_JS = __import__('shutil').which('node')
FROZEN_CACHE = True
EOF
}

make_headers_prefix() {
  make_prefix "$HEADERS_PREFIX" finish_headers "${HEADER_PACKAGES[@]}" -- ./usr/share/doc
}

make_emscripten_prefix() {
  make_prefix "$EMSCRIPTEN_PREFIX" finish_emscripten "${EMSCRIPTEN_PACKAGES[@]}" -- "${EMSCRIPTEN_LEFT_OUT[@]}"
}
