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

	"github.com/modu-ai/moai/internal/disk"
)

// stateIn is the folder for moai's state in a home, "" without one.
func stateIn(home string) string {
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "windows":
		return filepath.Join(home, "AppData", "Local", "moai", "state")
	case runtime.GOOS == "darwin":
		return filepath.Join(home, "Library", "Application Support", "moai", "state")
	}
	return filepath.Join(home, ".local", "state", "moai")
}

const stateVariable = "XDG_STATE_HOME"

// stateNamed is the variable that moves that folder, what it says, and where the folder is then.
func stateNamed(getenv func(string) string) (variable, base, dir string) {
	if x := getenv(stateVariable); filepath.IsAbs(x) {
		return stateVariable, x, filepath.Join(x, "moai")
	}
	if x := getenv("LOCALAPPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(x) {
		return "LOCALAPPDATA", x, filepath.Join(x, "moai", "state")
	}
	return "", "", ""
}

// configIn is the folder of the user's own configuration and rules in a home, "" without one.
func configIn(home string) string {
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "windows":
		return filepath.Join(home, "AppData", "Roaming", "moai")
	}
	return filepath.Join(home, ".config", "moai")
}

// configNamed is the variable that moves that folder, what it says, and where the folder is then.
func configNamed(getenv func(string) string) (variable, base, dir string) {
	if x := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(x) {
		return "XDG_CONFIG_HOME", x, filepath.Join(x, "moai")
	}
	if x := getenv("APPDATA"); runtime.GOOS == "windows" && filepath.IsAbs(x) {
		return "APPDATA", x, filepath.Join(x, "moai")
	}
	return "", "", ""
}

// temporary is a folder of this user's own for when there is no home: a hook must work
// for users that have none (containers, CI). No variable moves it.
func temporary() string {
	dir := "/tmp"
	if runtime.GOOS == "windows" {
		dir = os.TempDir()
	}
	return filepath.Join(dir, fmt.Sprintf("moai-%d", os.Getuid()))
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

// Shared reports a folder into which other users can write: whatever lies there may be theirs.
func Shared(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0
}

// Home is the user's home folder as the environment names it, or empty.
func Home(getenv func(string) string) string {
	if h := getenv(HomeVariable); filepath.IsAbs(h) {
		return filepath.Clean(h)
	}
	return ""
}

// ProjectKey is a file name for a project's folder: its base name, for people,
// and a hash of the whole path, so that two projects of one name stay apart. Links
// are followed: clients name a folder as the system does, and a shell as its user
// came there. (On Windows that also settles the case of the drive and of names.)
func ProjectKey(root string) string {
	if real, err := disk.EvalLinks(root); err == nil {
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
