#!/bin/sh
# Installs flyball: one program in one folder, checked against the checksums of its release. `sh install.sh --help`
set -eu

repository=https://github.com/flyball/flyball

usage() {
    cat <<'END'
Installs flyball: one program in one folder, checked against the checksums of its release. Needs no root.

    sh install.sh [--version 0.1.0] [--dir FOLDER] [--from PLACE]
    sh install.sh --uninstall [--dir FOLDER]

FOLDER is ~/.local/bin unless named, here or by FLYBALL_INSTALL_DIR. PLACE is a folder or an address that has the archives
and SHA256SUMS of a release, also by FLYBALL_FROM. Run it again to update.
END
}

fail() {
    printf 'error: %s\n  fix: %s\n' "$1" "$2" >&2
    exit 1
}

# Copies a file of the release.
fetch() {
    case $place in
    https://* | http://127.0.0.1:*)
        if command -v curl >/dev/null; then
            curl -fsSL --retry 2 -o "$2" "$place/$1"
        elif command -v wget >/dev/null; then
            wget -q -O "$2" "$place/$1"
        else
            fail 'neither curl nor wget is on the search path' 'install one of them'
        fi
        ;;
    file://*) cp "${place#file://}/$1" "$2" ;;
    *://*) fail "$place is not an https address" 'name a folder, or an address that begins with https://' ;;
    *) cp "$place/$1" "$2" ;;
    esac
}

sha256() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

uninstall() {
    [ -e "$program" ] || fail "there is no $program" 'name the folder that it is in: --dir FOLDER'
    # Hooks that stay behind would refuse everything, because their program is gone.
    "$program" uninstall --all --yes ||
        fail "the hooks could not be removed, so $program was left there" "see above; run \`$program uninstall --all\` yourself"
    rm "$program" || fail "$program could not be removed" 'look who may write there'
    printf 'removed %s\n' "$program"
}

# All of it is in a function, so that half a download does nothing.
main() {
    version='' action=install
    folder=${FLYBALL_INSTALL_DIR:-${XDG_BIN_HOME:-${HOME:-}/.local/bin}}
    from=${FLYBALL_FROM:-}

    while [ $# -gt 0 ]; do
        case $1 in
        --version | --dir | --from)
            [ $# -gt 1 ] || fail "$1 needs a value" "sh install.sh --help shows how it is called"
            case $1 in
            --version) version=${2#v} ;;
            --dir) folder=$2 ;;
            --from) from=$2 ;;
            esac
            shift
            ;;
        --uninstall) action=uninstall ;;
        -h | --help) usage && exit 0 ;;
        *) fail "there is no option \`$1\`" "sh install.sh --help lists them" ;;
        esac
        shift
    done
    case $folder in
    /.local/bin) fail 'HOME is not set, so there is no place to install to' 'name a folder: --dir FOLDER' ;;
    /*) ;;
    *) folder=$PWD/$folder ;;
    esac
    program=$folder/flyball

    if [ "$action" = uninstall ]; then uninstall && exit 0; fi

    case $(uname -s) in
    Linux) system=unknown-linux-gnu ;; # static: it runs with any C library
    Darwin) system=apple-darwin ;;
    *) fail "there is no archive for $(uname -s) that this script could install" 'use npm, pip, or build it with cargo' ;;
    esac
    case $(uname -m) in
    x86_64 | amd64) processor=x86_64 ;;
    aarch64 | arm64) processor=aarch64 ;;
    *) processor=$(uname -m) ;;
    esac
    # A shell that runs under Rosetta says x86_64 on an arm64 machine.
    if [ "$system" = apple-darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then processor=aarch64; fi
    target=$processor-$system

    if [ -n "$from" ]; then
        place=${from%/}
    elif [ -n "$version" ]; then
        place=$repository/releases/download/v$version
    else
        place=$repository/releases/latest/download
    fi

    command -v sha256sum >/dev/null || command -v shasum >/dev/null ||
        fail 'neither sha256sum nor shasum is on the search path' 'install one of them: nothing is installed unchecked'
    work=$(mktemp -d)
    draft=$folder/.flyball.$$
    trap 'rm -rf "$work" "$draft"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM

    fetch SHA256SUMS "$work/SHA256SUMS" ||
        fail "$place/SHA256SUMS cannot be had" "look whether there is such a release: $repository/releases"
    # Lines of the form `checksum  flyball-0.1.0-x86_64-unknown-linux-gnu.tar.gz`.
    line=$(grep -E "^[0-9a-f]{64}  flyball-[0-9][^/]*-$target\.tar\.gz\$" "$work/SHA256SUMS" | head -n 1) || true
    [ -n "$line" ] ||
        fail "the release has no program for $target" "build it with cargo: cargo install --locked --git $repository flyball"
    expected=${line%% *} archive=${line##* }
    found=${archive#flyball-} found=${found%-"$target".tar.gz}
    [ -z "$version" ] || [ "$version" = "$found" ] ||
        fail "$place has version $found, not $version" 'leave --version out, or name the place of that version'

    fetch "$archive" "$work/$archive" || fail "$place/$archive cannot be had" 'try again later; nothing was changed'
    actual=$(sha256 "$work/$archive")
    [ "$actual" = "$expected" ] ||
        fail "$archive is not what the release promises: its checksum is $actual, expected is $expected" \
            "try again; if it stays so, do not use it, and report it. Nothing was changed"

    tar -xzf "$work/$archive" -C "$work"
    mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || fail "$folder cannot be written" 'name another folder: --dir FOLDER'
    before=$([ -x "$program" ] && "$program" --version 2>/dev/null) || true
    cp "$work/flyball-$found-$target/flyball" "$draft"
    chmod 755 "$draft"
    now=$("$draft" --version) || fail "the program does not start on this machine" "build it with cargo: cargo install --locked --git $repository flyball"
    # A hook that runs now keeps the old file.
    mv -f "$draft" "$program"

    if [ -n "$before" ]; then
        printf 'replaced %s by %s in %s\n' "$before" "$now" "$folder"
    else
        printf 'installed %s in %s\n' "$now" "$folder"
    fi
    case :$PATH: in
    *:"$folder":*)
        first=$(command -v flyball)
        [ "$first" = "$program" ] || printf 'note: %s comes first on the search path\n' "$first"
        ;;
    *) printf 'note: %s is not on the search path; add it, or start the program by its full path\n' "$folder" ;;
    esac
    printf 'next: flyball init in a project; flyball doctor says what works\n'
}

main "$@"
