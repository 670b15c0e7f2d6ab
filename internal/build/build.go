// Package build says which build of moai this is: moai and moaid are two programs of one build, and tell each other by it.
package build

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Release is the version of the next release; builds say their commit with it.
const Release = "0.1.0"

// Info is what moai version --json prints.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Current reads what the Go linker recorded; no build flags are needed.
func Current() Info {
	v := Info{Version: Release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String is one line: version, commit, Go, platform.
func (v Info) String() string {
	commit := ""
	// Eight digits name a commit here for longer than anybody keeps a binary.
	if len(v.Commit) >= 8 {
		commit = " (" + v.Commit[:8]
		if v.Modified {
			commit += ", modified"
		}
		commit += ")"
	}
	return fmt.Sprintf("%s%s %s %s", v.Version, commit, v.Go, v.Platform)
}
