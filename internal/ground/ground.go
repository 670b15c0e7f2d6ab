// Package ground is where the judgement of package risk meets the machine: it describes the place of a call to the rules, for the
// hook and for `moai risk check` alike, and looks up the facts that rules ask about.
//
// It looks and never writes, starts nothing, and takes no decision. Its work is counted: past the account that a call has, each
// answer is the one that loses nothing.
//
// # Folders that go
//
//   - Credentials in folders that a build makes again (`dist/.env`): some thousand names of such a folder are looked
//     at before it goes, nearest first, and of one that programs alone fill (`node_modules`) those directly in it. One
//     that Git does not hold is worth a snapshot, which copies it to the vault (risk/secret_treasure.go, treasures.go,
//     handle/doomed.go).
//   - Work trees in folders that a build makes again are looked for with the same bounds (inner.go: 1,500 folders are
//     asked for a `.git`), and are worth a word where they hold what nothing else does: commits that no remote has, or
//     changes. What stands on no branch, as programs check out what they fetch, is not looked through.
package ground

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/risk"
)

// Place describes a place to the rules without a look at the disk: the folder of a call, the project and the folders of the person
// (places), the home, and guard.mode. The call itself, the variables and the facts are the caller's to add; an Input without
// Facts is for a moment in which nothing can be looked at.
func Place(dir, home, mode string, places policy.Places, now time.Time) risk.Input {
	m, _ := risk.ParseMode(mode) // checked when it was set
	return risk.Input{
		Dir: dir, Root: places.Root, Home: home, Mode: m, Now: now,
		Own: append([]string{places.Config, places.State}, places.Beside...),
		// The file systems of these two ignore case unless somebody made them otherwise.
		Fold:    runtime.GOOS == "darwin" || runtime.GOOS == "windows",
		Windows: runtime.GOOS == "windows",
		Program: sync.OnceValue(program),
	}
}

// program returns the names of this program: as the client called it, and what that is.
func program() []string {
	var names []string
	if len(os.Args) > 0 && filepath.IsAbs(os.Args[0]) {
		names = append(names, filepath.ToSlash(filepath.Clean(os.Args[0])))
	}
	if self, err := os.Executable(); err == nil {
		if self = filepath.ToSlash(self); len(names) == 0 || names[0] != self {
			names = append(names, self)
		}
	}
	return names
}
