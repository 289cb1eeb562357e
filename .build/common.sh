#!/usr/bin/env bash
# Functions of ./caliber and ./verify: finding a JDK and Maven, the build lock, the source fingerprint, test counts.
# Sourced, never run. ROOT must be the repository's directory.

JAVA_WANTED=25

# Prints the feature release ("25") of the JDK in directory $1; fails when there is none. A JRE without javac does not count.
jdk_release() {
  [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  local line release
  if [ -r "$1/release" ]; then
    while IFS= read -r line; do
      case $line in JAVA_VERSION=*) release=${line#JAVA_VERSION=} ;; esac
    done <"$1/release"
  fi
  if [ -z "${release:-}" ]; then
    release=$("$1/bin/java" -version 2>&1) || return 1
    release=${release#*version }
  fi
  release=${release#\"}
  release=${release%%[!0-9]*}
  [ -n "$release" ] || return 1
  printf '%s\n' "$release"
}

# Prints the directory of "java" on the PATH, with links followed. Pure bash except readlink, which every system has.
java_on_path() {
  local java target
  java=$(type -P java 2>/dev/null) || return 1
  while [ -L "$java" ]; do
    target=$(readlink "$java" 2>/dev/null) || return 1
    case $target in /*) java=$target ;; *) java=${java%/*}/$target ;; esac
  done
  java=${java%/*}
  printf '%s\n' "${java%/*}"
}

# Sets JDK to the first JDK that is new enough: first those that the user named, then the usual directories.
find_jdk() {
  local candidate release
  JDK=
  for candidate in "${CALIBER_JAVA_HOME:-}" "${JAVA_HOME:-}" "$(java_on_path || true)" \
    ${CALIBER_JVM_DIRECTORIES-/usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
      "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
      /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home}; do
    release=$(jdk_release "$candidate") || continue
    if [ "$release" -ge "$JAVA_WANTED" ]; then
      JDK=$candidate
      return 0
    fi
  done
  return 1
}

say_how_to_get_a_jdk() {
  printf '%s\n' \
    "Caliber needs a JDK $JAVA_WANTED or newer, and none was found." \
    "Searched CALIBER_JAVA_HOME, JAVA_HOME, java on the PATH, and the usual JVM directories." \
    "Install one, then run this command again:" \
    "  Debian, Ubuntu   apt-get install openjdk-25-jdk-headless   (or temurin-25-jdk)" \
    "  Fedora           dnf install java-25-openjdk-devel" \
    "  macOS            brew install openjdk@25" \
    "  anywhere         unpack any JDK 25 and set CALIBER_JAVA_HOME to its directory" >&2
}

say_how_to_get_maven() {
  printf '%s\n' \
    "Caliber is built with Maven 3.8.7 or newer, and no 'mvn' is on the PATH." \
    "Install it, then run this command again:" \
    "  Debian, Ubuntu   apt-get install maven" \
    "  Fedora           dnf install maven" \
    "  macOS            brew install maven" >&2
}

# Runs Maven on the JDK that was found. The options silence the JDK's warnings about Maven's own libraries, and switch off its
# optimizing compiler: the cores are needed more by tests and compilers, which run in other processes.
caliber_maven() {
  local quiet='--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow'
  JAVA_HOME=$JDK MAVEN_OPTS="$quiet -XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS:-}" \
    mvn "$@"
}

checksum() {
  if type -P sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

# Prints a hash of everything in the jars: poms and main sources. Contents, not times, so that a checkout does not rebuild.
source_fingerprint() {
  (
    cd "$ROOT" || exit 1
    LC_ALL=C
    export LC_ALL
    for place in pom.xml */pom.xml */src/main; do
      [ -e "$place" ] && find "$place" -type f -print0
    done | sort -z | { if type -P sha256sum >/dev/null; then xargs -0 sha256sum; else xargs -0 shasum -a 256; fi; } | checksum
  ) | { read -r sum _ && printf '%s\n' "$sum"; }
}

# Lets one build run at a time in this directory: flock where it exists (released even by kill -9), else a directory with the owner's pid.
take_build_lock() {
  local lock=$ROOT/target/build.lock owner
  mkdir -p "$ROOT/target" 2>/dev/null && [ -w "$ROOT/target" ] || {
    echo "Cannot write to $ROOT/target: it belongs to another user. Remove it, or run as that user." >&2
    exit 73
  }
  if type -P flock >/dev/null; then
    exec 9>"$lock" || exit 73
    flock -n 9 || { echo "Waiting for another build in this directory…" >&2; flock 9; }
    return
  fi
  until mkdir "$lock.d" 2>/dev/null; do
    owner=$(cat "$lock.d/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then rm -rf "$lock.d"; continue; fi
    sleep 1
  done
  echo $$ >"$lock.d/pid"
}

drop_build_lock() {
  if type -P flock >/dev/null; then exec 9>&-; else rm -rf "$ROOT/target/build.lock.d"; fi
}

# Sets PASSED, FAILED and SKIPPED from the surefire reports of all modules under $1.
count_tests() {
  local numbers
  numbers=$(
    { cat "$1"/*/target/surefire-reports/TEST-*.xml 2>/dev/null || true; } | awk '
      function number(name,   at) {
        if (!match($0, " " name "=\"[0-9]+\"")) return 0
        at = substr($0, RSTART, RLENGTH); gsub(/[^0-9]/, "", at); return at + 0
      }
      /<testsuite / { tests += number("tests"); bad += number("errors") + number("failures"); skipped += number("skipped") }
      END { printf "%d %d %d\n", tests - bad - skipped, bad, skipped }'
  )
  read -r PASSED FAILED SKIPPED <<<"$numbers"
}
