//go:build linux

package main

import (
	_ "embed"

	"github.com/BurntSushi/toml"
)

//go:embed lines.toml
var linesFile []byte

// lines is what the attacks try.
var lines = func() (l struct {
	Destructive, First, Lost, Names, Plain []string
	GitPlain                               []string `toml:"git_plain"`
	GitUnderway                            []string `toml:"git_underway"`
	GitLocks                               []string `toml:"git_locks"`
	Calls, Often, Disks                    []string
	FullVerbs                              []string `toml:"full_verbs"`
	FullEvents                             []string `toml:"full_events"`
	After, Fields                          []string
	Mine                                   map[string]string
},
) {
	must(toml.Unmarshal(linesFile, &l))
	return l
}()
