//go:build !linux || !(amd64 || arm64)

package repo

// onProcessor leaves it to the system where a thread runs.
func onProcessor(int) {}

// makeRoom has no meaning where nobody says where threads run.
func makeRoom() {}
