package repo

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// loose stores what is pending as single files. All are written before any waits for the disk,
// and all wait together, with what the caller has to wait for: a journal that is written once
// for all of them takes a third of the time.
func (w *ObjectWriter) loose(beside []func()) error {
	dir := w.s.dirs[0]
	n := len(w.pending)
	files, errs := make([]*os.File, n), make([]error, n)
	fault := Parallel(n, func(i int) {
		o := w.pending[i]
		z := deflate(nil, objectHeader(o.kind, int64(o.size)), o.raw)
		// The temporary name is one that `git prune` knows and clears away after a crash.
		if files[i], errs[i] = createTemp(filepath.Dir(loosePath(dir, o.hash)), "tmp_obj_"); errs[i] == nil {
			_, errs[i] = files[i].Write(z)
		}
	})
	await(!w.opts.NoSync, files, errs, beside)
	for i, f := range files {
		if f != nil {
			errs[i] = finishTemp(f, loosePath(dir, w.pending[i].hash), cmp.Or(fault, errs[i]))
		}
	}
	return cmp.Or(fault, cmp.Or(errs...)) // they are all the same: no space, no permission
}

// await waits until files are on disk, and until what waits beside them is.
func await(durable bool, files []*os.File, errs []error, beside []func()) {
	var wait sync.WaitGroup
	for _, f := range beside {
		wait.Go(f)
	}
	for i, f := range files {
		if f != nil && errs[i] == nil && durable {
			wait.Go(func() { errs[i] = f.Sync() })
		}
	}
	wait.Wait()
}

// createTemp makes a new file in dir, and dir itself when it is missing. A gc that runs meanwhile removes empty directories,
// hence the second try.
func createTemp(dir, prefix string) (*os.File, error) {
	for try := 0; ; try++ {
		name := filepath.Join(dir, prefix+strconv.Itoa(os.Getpid())+"_"+strconv.FormatInt(tempSeq.Add(1), 36)+strconv.FormatInt(time.Now().UnixNano(), 36))
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o444)
		if err == nil || try == 5 {
			return f, err
		}
		switch {
		case errors.Is(err, os.ErrNotExist):
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return nil, err
			}
		case !errors.Is(err, os.ErrExist):
			return nil, err
		}
	}
}

// Temporary says whether a file in a folder of objects or packs is one that git or moai has not completed; own that moai began it.
// Git's are a prefix and six letters or digits; createTemp's have the process behind it, and so an underscore more.
func Temporary(name string) (own, temporary bool) {
	for _, prefix := range [...]string{"tmp_obj_", "tmp_pack_", "tmp_idx_"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			return strings.Contains(rest, "_"), true
		}
	}
	return false, false
}

// tempSeq makes temporary names of one process differ.
var tempSeq atomic.Int64

// finishTemp closes and renames a temporary file that is on disk, or removes it when anything went wrong before or does now.
func finishTemp(f *os.File, path string, err error) error {
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
		if err != nil && fileExists(path) {
			// Windows does not rename onto a file that somebody reads; the same object is there already.
			err = nil
			os.Remove(f.Name())
		}
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

func fileExists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// freshen reports whether the object is stored, and touches the file that holds it, as git does: a gc keeps unreferenced
// objects for as long as their file is young, and ours is not referenced before the very end. A file that cannot be touched
// does not count, the object is then written once more. Nor does what another repository lends: its owner may drop what nothing
// there refers to.
//
// Packs come first, which take no system call. Those who store hundreds of objects, nearly all of them new, do without the
// look for single files: each takes 10 µs, a tenth of such a checkpoint, and an object that is stored twice harms nobody.
func (s *objectStore) freshen(h Hash, single bool) bool {
	now := time.Now()
	own := s.dirs[0]
	for _, p := range s.packList(false) {
		if len(s.dirs) > 1 && !strings.HasPrefix(p.path, own+string(filepath.Separator)) {
			continue
		}
		if _, ok := p.find(h); ok && p.touch(now) {
			return true
		}
	}
	if !single {
		return false
	}
	path := loosePath(own, h)
	// An empty file is what a loss of power leaves of an object that nobody waited for.
	fi, err := os.Lstat(path)
	return err == nil && fi.Size() > 0 && os.Chtimes(path, now, now) == nil
}

// touch freshens the pack once per process.
func (p *pack) touch(now time.Time) bool {
	p.touched.Do(func() { p.young = os.Chtimes(p.path, now, now) == nil })
	return p.young
}
