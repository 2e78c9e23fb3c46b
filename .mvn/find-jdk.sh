# Sourced by mvnw: leaves JAVA_HOME pointing at a JDK 25 or newer, or ends with a word on how to get one.
# Looks at JAVA_HOME first, then at the java on the PATH, then in the usual places of Linux, macOS and SDKMAN.
keelson_jdk_release() { # prints the feature release of the JDK in $1, or nothing where it is no JDK
  if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$1/release"
  fi
}

keelson_jdk_fits() {
  keelson_release=$(keelson_jdk_release "$1")
  [ -n "$keelson_release" ] && [ "$keelson_release" -ge 25 ]
}

keelson_find_jdk() {
  if [ -n "${JAVA_HOME-}" ] && keelson_jdk_fits "$JAVA_HOME"; then
    return 0
  fi
  keelson_javac=$(command -v javac 2>/dev/null) || keelson_javac=
  if [ -n "$keelson_javac" ]; then
    keelson_home=$(dirname "$(dirname "$(readlink -f "$keelson_javac" 2>/dev/null || echo "$keelson_javac")")")
    if keelson_jdk_fits "$keelson_home"; then
      JAVA_HOME=$keelson_home
      export JAVA_HOME
      return 0
    fi
  fi
  set +f
  for keelson_home in /usr/lib/jvm/* /opt/java/* /opt/jdk* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/*; do
    if keelson_jdk_fits "$keelson_home"; then
      JAVA_HOME=$keelson_home
      export JAVA_HOME
      set -f
      return 0
    fi
  done
  set -f
  echo "Keelson is built with a JDK 25 or newer, and none was found (JAVA_HOME=${JAVA_HOME-unset})." >&2
  echo "Install one, for instance Eclipse Temurin 25 (https://adoptium.net/installation), or point JAVA_HOME at it." >&2
  return 1
}

keelson_find_jdk
