// Package state keeps moai's small files: where they live, how they are read,
// replaced and locked, and when they are too old to count.
//
// It is not the history (package journal) and knows nothing of what callers
// store. Its invariant: a reader sees a whole old file or a whole new one, and
// no file is readable by other users.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Dir is the folder for moai's state: $XDG_STATE_HOME/moai, else the platform's
// own place. Without any home it is a per-user folder under the temp directory,
// since a hook must work for users that have none (containers, CI).
func Dir(getenv func(string) string) string {
	if x := getenv("XDG_STATE_HOME"); filepath.IsAbs(x) {
		return filepath.Join(x, "moai")
	}
	home := Home(getenv)
	switch {
	case runtime.GOOS == "windows" && getenv("LOCALAPPDATA") != "":
		return filepath.Join(getenv("LOCALAPPDATA"), "moai", "state")
	case home == "":
		return homeless(filepath.Join(os.TempDir(), fmt.Sprintf("moai-%d", os.Getuid())))
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "moai", "state")
	}
	return filepath.Join(home, ".local", "state", "moai")
}

// homeless returns dir, in a place that others can write to, if it is ours alone;
// else a place where nothing can be written: no state is better than state
// through somebody else's links.
func homeless(dir string) string {
	if err := os.Mkdir(dir, 0o700); err == nil {
		return dir
	}
	info, err := os.Lstat(dir)
	if err == nil && info.IsDir() && ours(info) {
		return dir
	}
	return filepath.Join(os.DevNull, "moai")
}

// ConfigDir is the folder of the user's own configuration and rules:
// $XDG_CONFIG_HOME/moai, else the platform's place; empty without a home.
func ConfigDir(getenv func(string) string) string {
	if x := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(x) {
		return filepath.Join(x, "moai")
	}
	home := Home(getenv)
	switch {
	case runtime.GOOS == "windows" && getenv("APPDATA") != "":
		return filepath.Join(getenv("APPDATA"), "moai")
	case home == "":
		return ""
	}
	return filepath.Join(home, ".config", "moai")
}

// Home is the user's home folder as the environment names it, or empty.
func Home(getenv func(string) string) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if h := getenv(name); filepath.IsAbs(h) {
		return filepath.Clean(h)
	}
	return ""
}

// ProjectKey is a file name for a project's folder: its base name, for people,
// and a hash of the whole path, so that two projects of one name stay apart. Links
// are followed: clients name a folder as the system does, and a shell as its user
// came there. (On Windows that also settles the case of the drive and of names.)
func ProjectKey(root string) string {
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256([]byte(filepath.Clean(root)))
	return SafeName(filepath.Base(root)) + "-" + hex.EncodeToString(sum[:8])
}

// SafeName makes any text usable as part of a file name on every system. Names
// that had to change end in a hash, so that they stay distinct.
func SafeName(s string) string {
	var b strings.Builder
	changed := s == ""
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r > 0x7f && r != 0xfffd:
			b.WriteRune(r)
		case r == '.' && b.Len() > 0:
			b.WriteRune(r)
		default:
			b.WriteByte('_')
			changed = true
		}
		if b.Len() >= 80 {
			changed = true
			break
		}
	}
	if changed {
		sum := sha256.Sum256([]byte(s))
		b.WriteString("-" + hex.EncodeToString(sum[:4]))
	}
	return b.String()
}

// JournalPath is the journal of a project.
func JournalPath(stateDir, project string) string {
	return filepath.Join(stateDir, "journal", ProjectKey(project)+".jsonl")
}

// SessionPath is the file of one client session.
func SessionPath(stateDir, session string) string {
	return filepath.Join(stateDir, "session", SafeName(session)+".json")
}
