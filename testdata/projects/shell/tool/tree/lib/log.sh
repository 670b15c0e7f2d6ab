log() { printf "%s\n" "$*" >&2; }
