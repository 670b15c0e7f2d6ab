package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of the next release; builds say their commit with it.
const release = "0.1.0"

// versionInfo is what moai version --json prints.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// currentVersion reads what the Go linker recorded; no build flags are needed.
func currentVersion() versionInfo {
	v := versionInfo{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
func (v versionInfo) String() string {
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

// versionLine is what moai version prints.
func versionLine() string { return "moai " + currentVersion().String() }

// newVersion is what a report of a bug begins with: the commit tells two builds of one release apart.
func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print moai's version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := currentVersion()
			if e.json {
				return e.printJSON(v)
			}
			fmt.Fprintln(e.out, versionLine())
			return nil
		},
	}
}
