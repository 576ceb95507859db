# shellcheck shell=bash
# What every script of tools/ shares: messages, versions, and where things live.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$ROOT/build
# Outside the checkout, so that every clone of this user shares one download.
CACHE=${XDG_CACHE_HOME:-${HOME:?is not set}/.cache}/attention-lab
SETUP_LOG=$CACHE/setup.log
export ROOT BUILD CACHE SETUP_LOG

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
note() { printf '    %s\n' "$*" >&2; }

# The one sentence a machine gets where this cannot work.
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# at_least 3.1.70 3.1.69 : is the first version not older than the second?
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# first_version TEXT : the first thing in it that looks like 1.2 or 1.2.3
first_version() { grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' <<<"$1" | head -n 1; }

# os_release FIELD : of /etc/os-release, without its quotes
os_release() { sed -n "s/^$1=\"\{0,1\}\([^\"]*\).*/\1/p" /etc/os-release 2>/dev/null; }

# A long step prints a line when it starts and another, with its time, when it is done.
timed() {
  local what=$1 start=$SECONDS
  shift
  say "$what"
  "$@" || return
  note "done in $((SECONDS - start)) s"
}

# Two set-ups at once (two clones, two shells) take turns. flock lies in Debian's
# essential util-linux; where it is absent nothing is unpacked into the cache either.
locked() {
  mkdir -p "$CACHE"
  if have flock; then
    (
      flock -n 9 || { note "waiting for another set-up on this machine"; flock 9; }
      "$@"
    ) 9>"$CACHE/lock"
  else
    "$@"
  fi
}

# progress: a line that a terminal overwrites; in a log every call is a line of its own.
progress() {
  if [ -t 2 ]; then printf '\r\033[K    %s' "$*" >&2; else note "$*"; fi
}
progress_end() {
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
  note "$*"
}

# while_progress WORDS MEASURE… -- COMMAND… : run the command, and meanwhile show what the
# measure prints whenever it has changed. The watcher sits in the background and not the
# command, which must get the Ctrl-C; it ends by itself when this shell is gone, and holds
# neither the lock nor the log.
while_progress() {
  local words=$1 measure=() watcher status=0
  shift
  while [ "$1" != -- ]; do
    measure+=("$1")
    shift
  done
  shift
  watch "$BASHPID" "$words" "${measure[@]}" 9>&- &
  watcher=$!
  "$@" || status=$?
  kill "$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null
  return "$status"
}

watch() {
  local parent=$1 words=$2 now last='' pause=5
  shift 2
  [ -t 2 ] && pause=1
  while sleep "$pause" >/dev/null 2>&1 && kill -0 "$parent" 2>/dev/null; do
    now=$("$@")
    [ "$now" = "$last" ] || progress "$words $now"
    last=$now
  done
}
