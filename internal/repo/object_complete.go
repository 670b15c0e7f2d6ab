package repo

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// Complete says whether all that was added is stored at this moment. Objects that no reference names yet are kept from a gc by
// their age alone, and `git gc --prune=now` takes the newest.
func (w *ObjectWriter) Complete() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	packs := w.s.packList(true)
	for h := range w.seen {
		if !stored(w.s, packs, h) {
			return false
		}
	}
	return true
}

func stored(s *objectStore, packs []*pack, h Hash) bool {
	for _, p := range packs {
		if _, ok := p.find(h); ok {
			return true
		}
	}
	for _, d := range s.dirs {
		if _, err := os.Lstat(loosePath(d, h)); err == nil {
			return true
		}
	}
	return false
}

// collectAge is how long git believes that note: numbers of processes come again.
const collectAge = 12 * time.Hour

// Collecting says whether a `git gc` is running here: it leaves its number and the name of its machine, also when it is killed.
func (r *Repo) Collecting() bool {
	b, st, err := disk.ReadFile(filepath.Join(r.CommonDir, "gc.pid"), 1<<10)
	if err != nil || time.Since(st.Modified()) > collectAge {
		return false
	}
	var pid int
	var host string
	if n, _ := fmt.Sscan(string(b), &pid, &host); n != 2 || pid <= 0 {
		return false
	}
	if here, err := os.Hostname(); err != nil || here != host {
		return false
	}
	p, err := os.FindProcess(pid) // an error means on Windows what Signal says elsewhere: there is none
	if err != nil {
		return false
	}
	defer p.Release()
	return runtime.GOOS == "windows" || !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
