#!/bin/sh
# Unpacks the source trees that trees.tsv names, without Debian's own files, each committed to a repository of its own.
# usage: fetch.sh DIR [NAME...]     needs apt sources with deb-src, dpkg-dev and git; what is in DIR already is kept
set -eu
here=$(cd "$(dirname "$0")" && pwd); dir=$1; shift
mkdir -p "$dir"
for name in ${*:-$(cut -f1 "$here/trees.tsv" | grep -v '^#')}; do
  [ -d "$dir/$name" ] && continue
  work=$(mktemp -d "$dir/.get-XXXXXX")
  if (cd "$work" && apt-get source -qq --download-only -o APT::Sandbox::User=root "$name" && dpkg-source --skip-patches -x ./*.dsc src) >/dev/null 2>&1; then
    (cd "$work/src" && rm -rf debian .pc && git init -q . && git add -A -f . &&
      git -c user.name=t -c user.email=t@example.invalid -c gc.auto=0 commit -qm tree) >/dev/null 2>&1
    mv "$work/src" "$dir/$name"
  else
    echo "fetch: no source for $name on this mirror" >&2
  fi
  rm -rf "$work"
done
