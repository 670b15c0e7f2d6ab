#!/bin/sh
# Unpacks the source trees that trees.tsv names, Debian's without Debian's own files, each committed to a repository of its own.
# usage: fetch.sh DIR [NAME...]     needs git, and for what is to be fetched: apt sources with deb-src and dpkg-dev, npm, go; what is in DIR already is kept
set -eu
here=$(cd "$(dirname "$0")" && pwd); dir=$1; shift
mkdir -p "$dir"

# get NAME leaves the tree in ./src
get() {
  case $1 in
  npm:*) npm pack --silent --ignore-scripts "${1#npm:}" && tar -xzf ./*.tgz && mv package src ;;
  go:*)
    from=$(go mod download -json "${1#go:}" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') && [ -n "$from" ] && cp -r --no-preserve=mode "$from" src ;;
  *) apt-get source -qq --download-only -o APT::Sandbox::User=root "$1" && dpkg-source --skip-patches -x ./*.dsc src && rm -rf src/debian src/.pc ;;
  esac
}

for name in ${*:-$(cut -f1 "$here/trees.tsv" | grep -v '^#')}; do
  to=$dir/$(echo "$name" | tr ':/' '__')
  [ -d "$to" ] && continue
  work=$(mktemp -d "$dir/.get-XXXXXX")
  if (cd "$work" && get "$name") >/dev/null 2>&1; then
    (cd "$work/src" && git init -q . && git add -A -f . &&
      git -c user.name=t -c user.email=t@example.invalid -c gc.auto=0 commit -qm tree) >/dev/null 2>&1
    mv "$work/src" "$to"
  else
    echo "fetch: no source for $name from here" >&2
  fi
  rm -rf "$work"
done
