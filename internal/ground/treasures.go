package ground

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/work"
)

// MaxTreasures bounds the names that are looked at for what people keep in folders that a build makes again. Who hides a file behind
// thousands of others that programs wrote is not looked after.
const MaxTreasures = 4000

// Treasures lists the files below a folder that is calls worth keeping, those nearest to it first; enter says which folders are gone into.
// No more than most names are looked at, and none while take gives no units of work. No link is followed, but for the folder itself where
// its name ends in "/.", as a call means it that works in it.
func Treasures(dir string, most int, enter, is func(path string) bool, take func(units int) bool) (found []string) {
	below(dir, most, enter, take, func(one string, e fs.DirEntry) {
		if (e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0) && is(one) {
			found = append(found, one)
		}
	})
	return found
}

// below shows the names below a folder, but for Git's own; see [Treasures].
func below(dir string, most int, enter func(path string) bool, take func(units int) bool, see func(path string, e fs.DirEntry)) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return
	}
	for queue := []string{dir}; len(queue) > 0 && most > 0; queue = queue[1:] {
		if !take(work.Folder + work.Path(queue[0])) {
			return
		}
		entries, err := list(queue[0], most)
		if err != nil {
			continue // what is in it cannot be saved either
		}
		most -= len(entries)
		if !take(len(entries) * 4 * work.Name) {
			return
		}
		for _, e := range entries {
			one := filepath.Join(queue[0], e.Name())
			if e.Name() == ".git" {
				continue
			}
			if see(one, e); e.IsDir() && enter(one) {
				queue = append(queue, one)
			}
		}
	}
}

// Treasures tells whether there is one, see [Treasures]. It leaves half of the work to those who have to know, and ends without a word.
func (g *Facts) Treasures(dir string, enter, is func(path string) bool) bool {
	return len(Treasures(dir, MaxTreasures, enter, func(path string) bool { return is(path) && g.unsaved(path) }, g.spare)) > 0
}

// spare takes work as long as half of it is left.
func (g *Facts) spare(units int) bool { return g.looks.Fits(units+work.Disk/2) && g.looks.Take(units) }
