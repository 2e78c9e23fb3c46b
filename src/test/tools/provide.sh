#!/usr/bin/env bash
# Usage: provide.sh DEST
#
# Puts what the tests need into the folder DEST:
#   etcd-3.4/etcd, etcd-3.4/etcdctl, etcd-3.5/etcd, etcd-3.5/etcdctl, chromium, chromedriver,
#   kubectl, kubectls/VERSION of each kubectl at hand, python with the module kubernetes, node, node_modules
#
# Each is looked for on the PATH and taken from there where its version fits, else it comes from the packages of the
# operating system: Chromium, Python's client and Node.js are installed where the script runs as root, everything else is
# unpacked into DEST, because two versions of etcd cannot be installed side by side. Who is not root gets Chromium and
# Python's client unpacked too. Where there is no package of an etcd but Docker answers, DEST gets the name of an image
# (etcd-3.4/image) for the tests to start. The modules of Node.js come from npm's registry, as node-client/ beside this
# script pins them. What is missing in the end is named, with a way to get it, and the script fails.
set -euo pipefail

readonly KUBECTL_OLDEST_MINOR=27
readonly NODE_OLDEST_MAJOR=18
readonly ETCD_IMAGE_3_4=registry.k8s.io/etcd:3.4.13-0
readonly ETCD_IMAGE_3_5=registry.k8s.io/etcd:3.5.21-0
# The releases of Debian that hold the two versions of etcd and a kubectl that is new enough.
readonly DEBIAN_RELEASES="bookworm trixie"
# A lock is waited for as long as a slow download of everything may take.
readonly LOCK_TIMEOUT_SECONDS=1800

[ $# -eq 1 ] || { echo "usage: $0 DEST" >&2; exit 2; }
mkdir -p "$1"
DEST=$(cd "$1" && pwd)
HERE=$(cd "$(dirname "$0")" && pwd)
CACHE=${XDG_CACHE_HOME:-${HOME:-$DEST}/.cache}/keelson-tools
mkdir -p "$CACHE" 2>/dev/null && [ -w "$CACHE" ] || CACHE=$DEST/cache
mkdir -p "$CACHE"
APT=$DEST/apt
MISSING=()

say() { printf 'test tools: %-14s %s\n' "$1" "$2"; }

have() { command -v "$1" >/dev/null 2>&1; }

lock() {
  have flock || return 0
  exec 9>"$CACHE/lock"
  flock -w "$LOCK_TIMEOUT_SECONDS" 9 || { echo "test tools: another run holds $CACHE/lock" >&2; exit 1; }
}

# ---------------------------------------------------------------------------------------------------------------- apt

# Runs an apt command on the machine's own package sources, but with lists and caches in DEST, so that it needs no root.
apt_own() {
  local command=$1
  shift
  mkdir -p "$APT/own/lists/partial" "$APT/own/archives/partial"
  "$command" -o Dir::State::Lists="$APT/own/lists" -o Dir::Cache="$APT/own" \
    -o APT::Sandbox::User="" -o Acquire::Languages=none "$@" 9>&-
}

# The same for packages that are only unpacked. On Debian it has the releases above alone, at the mirror that the machine
# uses; on another system the machine's own sources have to do.
apt_releases() {
  local command=$1 sources=()
  shift
  [ ! -s "$APT/releases/sources.list" ] ||
    sources=(-o "Dir::Etc::SourceList=$APT/releases/sources.list" -o Dir::Etc::SourceParts=/dev/null)
  "$command" "${sources[@]}" -o Dir::State="$APT/releases" -o Dir::State::status="$APT/releases/status" \
    -o Dir::Cache="$APT/releases" -o APT::Sandbox::User="" -o Acquire::Languages=none "$@" 9>&-
}

# Prints the address of the mirror of Debian that the machine's own sources name first.
debian_mirror() {
  local codename
  codename=$(. /etc/os-release && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-}") || return 0
  apt-get update --print-uris 9>&- |
    sed -En "s#^'(.*)/dists/($codename|oldstable|stable|testing)/InRelease'.*#\1#p" | sed -n 1p
}

prepare_releases() {
  [ ! -e "$APT/releases/ready" ] || return 0
  local mirror release keyring=/usr/share/keyrings/debian-archive-keyring.gpg options=""
  mkdir -p "$APT/releases/lists/partial" "$APT/releases/archives/partial"
  : >"$APT/releases/status"
  [ ! -r "$keyring" ] || options="[signed-by=$keyring] "
  mirror=$(debian_mirror)
  if [ -n "$mirror" ]; then
    for release in $DEBIAN_RELEASES; do echo "deb $options$mirror $release main"; done >"$APT/releases/sources.list"
  fi
  apt_releases apt-get -q update >"$APT/releases/log" 2>&1 || { tail -n 5 "$APT/releases/log" >&2; return 1; }
  touch "$APT/releases/ready"
}

# Prints the newest version of the package $1 that matches the pattern $2.
package_version() {
  apt_releases apt-cache madison "$1" | awk -F'|' -v pattern="$2" '{ gsub(/ /, "", $2) } $2 ~ pattern { print $2 }' |
    sort -rV | sed -n 1p
}

# Prints the path of a .deb of the package $1 in a version that matches $2, where the cache has one.
cached_file() {
  local file name version architecture
  architecture=$(dpkg --print-architecture)
  for file in "$CACHE/$1"_*_"$architecture".deb; do
    name=${file##*/}
    version=${name#*_}
    if [ -f "$file" ] && [[ $version =~ $2 ]]; then
      echo "$file"
      return 0
    fi
  done
  return 1
}

# The same from the mirror, where the cache has none.
package_file() {
  local version
  ! cached_file "$1" "$2" || return 0
  prepare_releases || return 1
  version=$(package_version "$1" "$2")
  [ -n "$version" ] || return 1
  fetch "$CACHE" apt_releases "$1=$version" || return 1
  cached_file "$1" "$2"
}

# Downloads packages into the folder $1, which holds only whole files at every moment.
fetch() {
  local folder=$1 world=$2 part
  shift 2
  part=$(mktemp -d "$folder/part.XXXXXX")
  if ! (cd "$part" && "$world" apt-get -q download "$@") >"$part/log" 2>&1; then
    tail -n 5 "$part/log" >&2
    rm -rf "$part"
    return 1
  fi
  mv "$part"/*.deb "$folder/"
  rm -rf "$part"
}

# Unpacks the package $1 in a version that matches $2 into the folder $3.
unpack_package() {
  have apt-get && have dpkg || return 1
  local file
  file=$(package_file "$1" "$2") || return 1
  dpkg -x "$file" "$3"
}

# Installs packages on this machine, where the script runs as root; $1 is what they are for.
install_packages() {
  have apt-get && [ "$(id -u)" -eq 0 ] || return 1
  local label=$1
  shift
  mkdir -p "$APT"
  export DEBIAN_FRONTEND=noninteractive
  say "$label" "installing the packages $*"
  if ! { apt-get -q update && apt-get -q -y --no-install-recommends install "$@"; } >"$APT/install.log" 2>&1 9>&-; then
    tail -n 5 "$APT/install.log" >&2
    return 1
  fi
}

# Prints the folder of the cache that is for packages of this machine's system, by the name $1.
system_cache() {
  echo "$CACHE/$1-$(. /etc/os-release && echo "${ID:-}-${VERSION_ID:-}")-$(dpkg --print-architecture)"
}

# Fills the folder $1 with packages and all that they need and this machine lacks.
fetch_with_dependencies() {
  local folder=$1 packages
  shift
  [ ! -e "$folder/complete" ] || return 0
  rm -rf "$folder"
  mkdir -p "$folder" "$APT/own"
  apt_own apt-get -q update >"$APT/own/log" 2>&1 || { tail -n 5 "$APT/own/log" >&2; return 1; }
  packages=$(apt_own apt-get -q -s --no-install-recommends install "$@" 2>"$APT/own/log" |
    sed -n 's/^Inst \([^ ]*\).*/\1/p')
  [ -n "$packages" ] || { tail -n 5 "$APT/own/log" >&2; return 1; }
  # shellcheck disable=SC2086
  fetch "$folder" apt_own $packages || return 1
  touch "$folder/complete"
}

# Prints the folders below the folder $1 that have shared libraries, as the dynamic linker wants them.
library_folders() { find "$1" -name '*.so*' -printf '%h\n' | sort -u | paste -s -d :; }

# Unpacks all packages of the folder $1 into the folder $2, which is new then.
unpack_all() {
  local file
  rm -rf "$2"
  for file in "$1"/*.deb; do dpkg -x "$file" "$2"; done
}

# --------------------------------------------------------------------------------------------------------------- etcd

# Each version_of function prints the version of the program $1, or nothing where it does not start.
version_of_etcd() { { "$1" --version 2>/dev/null || true; } | sed -n 's/^etcd Version: //p'; }

version_of_etcdctl() { { ETCDCTL_API=3 "$1" version 2>/dev/null || true; } | sed -n 's/^etcdctl version: //p'; }

# Provides the program $1 of the package $2 in the minor version $3.
provide_etcd_program() {
  local program=$1 package=$2 minor=$3 folder=$DEST/etcd-$3 version
  if [ -x "$folder/$program" ]; then
    say "etcd-$minor" "$program $("version_of_$program" "$folder/$program") from an earlier run"
    return 0
  fi
  mkdir -p "$folder"
  if have "$program"; then
    version=$("version_of_$program" "$(command -v "$program")")
    if [[ $version == "$minor".* ]]; then
      ln -sfn "$(command -v "$program")" "$folder/$program"
      say "etcd-$minor" "$program $version from $(command -v "$program")"
      return 0
    fi
  fi
  unpack_package "$package" "^${minor//./\\.}[.]" "$folder/package" || return 1
  version=$("version_of_$program" "$folder/package/usr/bin/$program")
  [[ $version == "$minor".* ]] || return 1
  ln -sfn "package/usr/bin/$program" "$folder/$program"
  say "etcd-$minor" "$program $version from the package $package"
}

provide_etcd() {
  local minor=$1 image=$2
  rm -f "$DEST/etcd-$minor/image"
  if provide_etcd_program etcd etcd-server "$minor" && provide_etcd_program etcdctl etcd-client "$minor"; then
    return 0
  fi
  if have docker && docker info >/dev/null 2>&1 9>&-; then
    mkdir -p "$DEST/etcd-$minor"
    echo "$image" >"$DEST/etcd-$minor/image"
    say "etcd-$minor" "the image $image, started by Testcontainers"
    return 0
  fi
  MISSING+=("etcd $minor with etcdctl: put both on the PATH (packages etcd-server and etcd-client), or start Docker")
}

# ------------------------------------------------------------------------------------------------------------ kubectl

version_of_kubectl() { # the client's alone, no server is asked
  { "$1" version --client -o json 2>/dev/null || true; } | sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p'
}

kubectl_fits() {
  [[ $1 =~ ^1\.([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -ge "$KUBECTL_OLDEST_MINOR" ]
}

provide_kubectl() {
  local version
  if [ -x "$DEST/kubectl" ]; then
    say kubectl "$(version_of_kubectl "$DEST/kubectl") from an earlier run"
    return 0
  fi
  if have kubectl; then
    version=$(version_of_kubectl "$(command -v kubectl)")
    if kubectl_fits "$version"; then
      ln -sfn "$(command -v kubectl)" "$DEST/kubectl"
      say kubectl "$version from $(command -v kubectl)"
      return 0
    fi
  fi
  if unpack_package kubectl '^1[.](2[7-9]|[3-9][0-9])[.]' "$DEST/kubectl-package"; then
    version=$(version_of_kubectl "$DEST/kubectl-package/usr/bin/kubectl")
    if kubectl_fits "$version"; then
      ln -sfn kubectl-package/usr/bin/kubectl "$DEST/kubectl"
      say kubectl "$version from the package kubectl"
      return 0
    fi
  fi
  MISSING+=("kubectl 1.$KUBECTL_OLDEST_MINOR or newer: put it on the PATH (package kubectl of Debian 13)")
}

# Prints each kubectl that may be at hand: on the PATH, beside those as kubectl.1.30 or kubectl-1.30, from the package.
kubectl_candidates() {
  local folder folders
  IFS=: read -ra folders <<<"$PATH"
  {
    echo "$DEST/kubectl"
    for folder in "${folders[@]}"; do
      find -L "$folder" -maxdepth 1 -name 'kubectl*' -type f 2>/dev/null || true
      [ ! -e "$folder/kubectl" ] || find "$(dirname "$(readlink -f "$folder/kubectl")")" -maxdepth 1 -name 'kubectl*'
    done
    echo "$DEST/kubectl-package/usr/bin/kubectl"
  } | grep -E '/kubectl([.-]?v?1[.][0-9.]+)?$' | awk '!seen[$0]++'
}

# One kubectl of each version, whatever it is called.
provide_kubectls() {
  local kubectl version
  rm -rf "$DEST/kubectls"
  mkdir -p "$DEST/kubectls"
  # The package is one more version where it is to be had, and no loss where it is not.
  [ -x "$DEST/kubectl-package/usr/bin/kubectl" ] ||
    unpack_package kubectl '^1[.](2[7-9]|[3-9][0-9])[.]' "$DEST/kubectl-package" 2>/dev/null || true
  while read -r kubectl; do
    [ -x "$kubectl" ] || continue
    version=$(version_of_kubectl "$kubectl")
    if kubectl_fits "$version" && [ ! -e "$DEST/kubectls/$version" ]; then
      ln -s "$(readlink -f "$kubectl")" "$DEST/kubectls/$version"
    fi
  done < <(kubectl_candidates)
  say kubectl "each of$(find "$DEST/kubectls" -type l -printf ' %f\n' | sort | tr -d '\n')"
}

# ------------------------------------------------------------------------------------------------------------- Python

version_of_python_client() { { "$1" -c 'import kubernetes; print(kubernetes.__version__)' 2>/dev/null || true; }; }

# Writes a script to DEST that starts the Python $1 with what follows it as environment, where that finds the client.
link_python() {
  local python=$1 from=$2 version
  shift 2
  cat >"$DEST/python" <<WRAPPER
#!/bin/sh
exec env $* "$python" "\$@"
WRAPPER
  chmod +x "$DEST/python"
  version=$(version_of_python_client "$DEST/python")
  [ -n "$version" ] || { rm -f "$DEST/python"; return 1; }
  say python "client $version from $from"
}

python_on_path() {
  local python
  for python in "$(command -v python3 || true)" /usr/bin/python3; do
    if [ -x "$python" ] && link_python "$python" "$python"; then return 0; fi
  done
  return 1
}

install_python() {
  install_packages python python3-kubernetes && link_python /usr/bin/python3 "the installed package"
}

unpack_python() {
  have apt-get && have dpkg || return 1
  local root=$DEST/python-package cached python=/usr/bin/python3 environment
  cached=$(system_cache python)
  fetch_with_dependencies "$cached" python3-kubernetes || return 1
  unpack_all "$cached" "$root"
  environment="PYTHONPATH=$root/usr/lib/python3/dist-packages"
  if [ ! -x "$python" ]; then
    python=$root/usr/bin/python3
    environment+=" PYTHONHOME=$root/usr LD_LIBRARY_PATH=$(library_folders "$root")"
  fi
  link_python "$python" "its unpacked package" "$environment"
}

provide_python() {
  if [ -x "$DEST/python" ] && [ -n "$(version_of_python_client "$DEST/python")" ]; then
    say python "client $(version_of_python_client "$DEST/python") from an earlier run"
    return 0
  fi
  python_on_path || install_python || unpack_python ||
    MISSING+=("a python3 with the module kubernetes: put it on the PATH (package python3-kubernetes)")
}

# ------------------------------------------------------------------------------------------------------------ Node.js

version_of_node() { { "$1" --version 2>/dev/null || true; } | sed -n 's/^v//p'; }

link_node() {
  local node version
  for node in "$(command -v node || true)" /usr/bin/node; do
    [ -x "$node" ] || continue
    version=$(version_of_node "$node")
    if [[ $version =~ ^([0-9]+)[.] ]] && [ "${BASH_REMATCH[1]}" -ge "$NODE_OLDEST_MAJOR" ]; then
      ln -sfn "$node" "$DEST/node"
      say node "$version from $node"
      return 0
    fi
  done
  return 1
}

node_with_npm() { have npm && link_node; }

# The installed modules are kept by what they were installed from, so that npm runs once for each pinning.
provide_node_modules() {
  local key cached part
  key=$(cat "$HERE"/node-client/package*.json | sha256sum | cut -c 1-16)
  cached=$CACHE/node-client-$key
  if [ ! -d "$cached" ]; then
    part=$(mktemp -d "$CACHE/part.XXXXXX")
    cp "$HERE"/node-client/package*.json "$part/"
    say node "installing the modules of node-client with npm"
    if ! (cd "$part" && npm ci --ignore-scripts --no-audit --no-fund) >"$part/log" 2>&1 9>&-; then
      tail -n 5 "$part/log" >&2
      rm -rf "$part"
      return 1
    fi
    mv "$part" "$cached"
  fi
  ln -sfn "$cached/node_modules" "$DEST/node_modules"
}

provide_node() {
  if ! { node_with_npm || { install_packages node nodejs npm && node_with_npm; }; }; then
    MISSING+=("Node.js $NODE_OLDEST_MAJOR or newer with npm: put node and npm on the PATH (packages nodejs and npm)")
    return 0
  fi
  provide_node_modules ||
    MISSING+=("the modules that src/test/tools/node-client pins: let npm reach its registry (npm config get registry)")
}

# ----------------------------------------------------------------------------------------------------------- Chromium

version_of_browser() { { "$1" --version 2>/dev/null || true; } | sed -n 's/^[A-Za-z ]* \([0-9][0-9.]*\).*/\1/p'; }

# Links the browser $1 and the driver $2 into DEST where both start and are of the same major version.
link_browser() {
  local browser driver
  browser=$(version_of_browser "$1")
  driver=$(version_of_browser "$2")
  [ -n "$browser" ] && [ "${browser%%.*}" = "${driver%%.*}" ] || return 1
  ln -sfn "$1" "$DEST/chromium"
  ln -sfn "$2" "$DEST/chromedriver"
  say chromium "$browser with its driver from $3"
}

browser_on_path() {
  local name
  have chromedriver || return 1
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if have "$name" && link_browser "$(command -v "$name")" "$(command -v chromedriver)" "$(command -v "$name")"; then
      return 0
    fi
  done
  return 1
}

install_browser() {
  install_packages chromium chromium chromium-driver fonts-dejavu-core &&
    link_browser /usr/bin/chromium /usr/bin/chromedriver "the installed packages"
}

# Writes a script to $1 that starts the program $2 with the libraries, fonts and data of the unpacked packages in $3.
write_wrapper() {
  cat >"$1" <<WRAPPER
#!/bin/sh
export LD_LIBRARY_PATH="$(library_folders "$3"):\${LD_LIBRARY_PATH-}"
export FONTCONFIG_FILE="$3/fonts.conf"
export XDG_DATA_DIRS="$3/usr/share:\${XDG_DATA_DIRS:-/usr/local/share:/usr/share}"
exec "$2" "\$@"
WRAPPER
  chmod +x "$1"
}

unpack_browser() {
  have apt-get && have dpkg || return 1
  local root=$DEST/chromium-package cached
  cached=$(system_cache chromium)
  fetch_with_dependencies "$cached" chromium chromium-driver fonts-dejavu-core || return 1
  unpack_all "$cached" "$root"
  cat >"$root/fonts.conf" <<FONTS
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$root/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>$root/fonts-cache</cachedir></fontconfig>
FONTS
  write_wrapper "$root/chromium" "$root/usr/lib/chromium/chromium" "$root"
  write_wrapper "$root/chromedriver" "$root/usr/bin/chromedriver" "$root"
  link_browser "$root/chromium" "$root/chromedriver" "its unpacked packages"
}

provide_browser() {
  if [ -x "$DEST/chromium" ] && [ -x "$DEST/chromedriver" ]; then
    say chromium "$(readlink "$DEST/chromium") from an earlier run"
    return 0
  fi
  browser_on_path || install_browser || unpack_browser ||
    MISSING+=("Chromium and chromedriver of one version: put both on the PATH (packages chromium and chromium-driver)")
}

# ---------------------------------------------------------------------------------------------------------------- all

lock
provide_etcd 3.4 "$ETCD_IMAGE_3_4"
provide_etcd 3.5 "$ETCD_IMAGE_3_5"
provide_kubectl
provide_kubectls
provide_python
provide_node
provide_browser
rm -rf "$APT"
if [ ${#MISSING[@]} -gt 0 ]; then
  echo "test tools: missing, and neither on the PATH nor in the packages of this machine:" >&2
  printf 'test tools:   %s\n' "${MISSING[@]}" >&2
  exit 1
fi
