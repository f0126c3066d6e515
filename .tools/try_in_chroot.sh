#!/bin/bash
# Tries the two commands as a newcomer meets them: on a Debian that holds git, make and python3 and
# nothing else, as an ordinary user, from a fresh clone of what is committed here.
#
#   .tools/try_in_chroot.sh bookworm                 # Debian 12, Python 3.11
#   .tools/try_in_chroot.sh trixie -m "not slow"     # Debian 13, Python 3.13; the rest goes to pytest
#   .tools/try_in_chroot.sh trixie --ci              # as root, what a build machine does: .ci/run
#
# Needs root and mmdebstrap. Packages come from wherever this machine's apt, pip and proxy settings
# point. The system is kept in build/chroot for the next time; the try itself leaves nothing behind.
set -euo pipefail
suite=${1:?usage: try_in_chroot.sh bookworm|trixie [arguments of pytest]}
shift
here=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo "This needs root: it makes a system of its own and changes into it." >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "mmdebstrap is missing (apt-get install mmdebstrap)." >&2; exit 1; }

system=$here/build/chroot/$suite.tar
if [ ! -f "$system" ]; then
    mkdir -p "${system%/*}"
    rm -rf --one-file-system "$system" "$system.part"
    mmdebstrap --quiet --format=tar --variant=minbase --include=git,make,python3,ca-certificates "$suite" "$system.part"
    mv "$system.part" "$system"
fi
root=$(mktemp -d -t "naturegym-$suite-XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
tar -xf "$system" -C "$root" --exclude='./dev/*'

# What this machine knows of the network: names, proxies, the certificates it trusts, pip's settings.
cp /etc/resolv.conf /etc/hosts "$root/etc/"
[ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
settings=()
while IFS= read -r line; do settings+=("$line"); done < <(
    env | grep -E '^(PIP_(INDEX_URL|EXTRA_INDEX_URL|CERT|PROXY|DEFAULT_TIMEOUT)|SSL_CERT_FILE|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY)=')

chroot "$root" useradd --create-home --shell /bin/bash newcomer
git clone --quiet --no-local "$here" "$root/home/newcomer/naturegym"
chroot "$root" chown -R newcomer: /home/newcomer

# Its own mounts and processes, so that all of it goes when the try ends.
export root
# shellcheck disable=SC2016
inside='
mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"
exec chroot "$root" setpriv --reuid newcomer --regid newcomer --clear-groups env -i \
    HOME=/home/newcomer PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb "$@"'
newcomer() { # newcomer SHELL-COMMAND
    unshare --mount --pid --fork --kill-child -- bash -euc "$inside" inside "${settings[@]}" \
        bash -c "cd ~/naturegym && $1" </dev/null
}
offline() { # the same, in a network with nothing but loopback
    unshare --net -- bash -euc 'ip link set lo up; exec "$@"' offline \
        unshare --mount --pid --fork --kill-child -- bash -euc "$inside" inside \
        bash -c "cd ~/naturegym && $1" </dev/null
}
timed() {
    local started=$EPOCHREALTIME
    "$@"
    awk -v suite="$suite" -v what="${*: -1}" -v a="$started" -v b="$EPOCHREALTIME" \
        'BEGIN {printf "== %s: %s took %.2f s\n", suite, what, b - a}'
}

if [ "${1-}" = --ci ]; then
    inside=${inside/setpriv --reuid newcomer --regid newcomer --clear-groups env/env}
    inside="mount --rbind /sys \"\$root/sys\"; $inside" # a Docker engine needs control groups
    inside=${inside//\/home\/newcomer/\/root} inside=${inside//PATH=/PATH=/usr/sbin:/sbin:}
    mv "$root/home/newcomer/naturegym" "$root/root/" && chroot "$root" chown -R root: /root/naturegym
    timed newcomer 'CI=true bash .ci/run'
    exit
fi

newcomer 'python3 --version; ! python3 -m pip --version 2>&1; ! python3 -m ensurepip --version 2>&1'
timed newcomer 'make demo'
timed newcomer 'make demo'
timed newcomer 'make runtime'
timed offline 'make demo'
[ $# = 0 ] || settings+=("ARGS=${*@Q}") # make takes it from the environment
timed newcomer 'make test'
