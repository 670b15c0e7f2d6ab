package settings

import (
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

// announced is what a person has just told moai to make of a settings file.
type announced struct {
	File string `json:"file"`
	Sum  string `json:"sum"` // SHA-256 of the whole content, "" for no file
}

// announceTTL is how long a client may take to notice a change: its watcher needs a second, a machine that slept
// in between some more.
const announceTTL = 10 * time.Minute

func announcement(stateDir, target string) string {
	return filepath.Join(stateDir, "announced", state.ProjectKey(target)+".json")
}

// announce says before a file is written what will be in it. A running session guards its own registration: it would
// take moai leaving for somebody switching it off, and people could not get out.
func (f *File) announce(stateDir string, data []byte, gone bool) error {
	if f.Quiet {
		return nil
	}
	a := announced{File: f.Target}
	if !gone {
		a.Sum = sum(data)
	}
	return state.Write(announcement(stateDir, f.Target), a)
}

// Announced reports whether the settings file at path is, as it stands now, what moai init has just made of it at its
// user's word. Only those very bytes count, and only for some minutes.
func Announced(stateDir, path string) bool {
	f, err := Open(path, "")
	if err != nil {
		return false
	}
	var a announced
	if !state.Read(announcement(stateDir, f.Target), announceTTL, &a) || a.File != f.Target {
		return false
	}
	if !f.Exists {
		return a.Sum == ""
	}
	return a.Sum == sum(f.Data)
}
