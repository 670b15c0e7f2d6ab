module example.org/stash

go 1.22

toolchain go1.22.3

require github.com/spf13/cobra v1.8.0
