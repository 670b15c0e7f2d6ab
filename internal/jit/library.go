package jit

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// LibraryTTL is how long a version that somebody set counts.
const LibraryTTL = 24 * time.Hour

// LibraryFile is where set versions are kept, below the project's root.
const LibraryFile = ".moai/.cache/library_versions.json"

// A Library is one dependency with its version.
type Library struct {
	Name    string    `json:"name"`
	Version string    `json:"version"`
	Source  string    `json:"source"` // the lock file or manifest, or "set"
	At      time.Time `json:"at,omitzero"`
}

// kept is one entry of LibraryFile.
type kept struct {
	Version   string `json:"version"`
	Timestamp int64  `json:"timestamp"` // seconds
}

// FindLibrary looks a version up without network: where the project's lock files pin it, else what was set
// not longer than ttl ago (0: LibraryTTL).
func FindLibrary(table []rule.LibraryFile, root, name string, ttl time.Duration) (Library, bool) {
	want := libraryKey(name)
	found := Library{}
	pinned(table, root, func(l Library) bool {
		if libraryKey(l.Name) == want {
			found = l
			return false
		}
		return true
	})
	// What a lock file says is what is installed; what somebody set is what he believes.
	if found.Version != "" {
		return found, true
	}
	for _, l := range SetLibraries(root, ttl) {
		if libraryKey(l.Name) == want {
			return l, true
		}
	}
	return Library{}, false
}

// PinnedLibraries lists every library that a lock file or manifest of the project pins, by name.
func PinnedLibraries(table []rule.LibraryFile, root string) []Library {
	var out []Library
	// A lock file of megabytes can name as many libraries as it likes.
	pinned(table, root, func(l Library) bool {
		out = append(out, l)
		return len(out) < 100000
	})
	slices.SortStableFunc(out, func(a, b Library) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b Library) bool { return a.Name == b.Name && a.Version == b.Version })
}

// SetLibraries lists the versions that were set and still count, by name.
func SetLibraries(root string, ttl time.Duration) []Library {
	if ttl <= 0 {
		ttl = LibraryTTL
	}
	// The file lies in the repository, so whoever made that may have laid a link in its place.
	var all map[string]kept
	if !insideRoot(root, LibraryFile) || !state.Read(filepath.Join(root, filepath.FromSlash(LibraryFile)), 0, &all) {
		return nil
	}
	var out []Library
	now := time.Now()
	for name, k := range all {
		at := time.Unix(k.Timestamp, 0)
		// A time of the future comes from a clock that was wrong; it would count for ever.
		if now.Sub(at) < ttl && at.Before(now.Add(time.Minute)) && k.Version != "" {
			out = append(out, Library{name, k.Version, "set", at})
		}
	}
	slices.SortFunc(out, func(a, b Library) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// SetLibrary keeps a version for others of the project to use; outdated ones are dropped.
func SetLibrary(root, name, version string) error {
	if strings.TrimSpace(name) == "" || strings.TrimSpace(version) == "" || len(name)+len(version) > 500 {
		return errors.New("a library needs a name and a version")
	}
	if !insideRoot(root, LibraryFile) {
		return errors.New(LibraryFile + " leads out of the project")
	}
	file := filepath.Join(root, filepath.FromSlash(LibraryFile))
	if _, err := os.Lstat(file); err != nil && os.MkdirAll(filepath.Dir(file), 0o700) == nil {
		state.Hide(filepath.Join(root, ".moai"))
	}
	return state.Update(file, 0, func(all *map[string]kept) bool {
		now := time.Now()
		if *all == nil {
			*all = map[string]kept{}
		}
		// Dropped here and not when reading, which so needs no lock.
		for n, k := range *all {
			if now.Sub(time.Unix(k.Timestamp, 0)) >= LibraryTTL {
				delete(*all, n)
			}
		}
		(*all)[name] = kept{version, now.Unix()}
		return true
	})
}

// insideRoot reports whether no link on the way to a file leads out of the root. What is not there yet does
// not.
func insideRoot(root, name string) bool {
	r, err := os.OpenRoot(root)
	if err != nil {
		return false
	}
	defer r.Close()
	// From the inside out: the innermost folder that is there decides, since what is below it would be made.
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, err := r.Stat(filepath.FromSlash(dir)); err == nil {
			st, err := r.Lstat(filepath.FromSlash(name))
			return err != nil || st.Mode().IsRegular()
		} else if !errors.Is(err, os.ErrNotExist) {
			return false
		}
	}
	return true
}

// libraryKey makes spellings equal that package managers treat so.
func libraryKey(name string) string {
	// Python does (PEP 503), and nowhere do two libraries differ in this alone.
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// maxLock bounds what is read of a lock file, and maxBeside the files that one pattern stands for.
const (
	maxLock   = 64 << 20
	maxBeside = 32
)

// pinned calls yield for every library that the project's files pin, until it returns false. Lock files
// come before manifests, so the exact version is met first.
func pinned(table []rule.LibraryFile, root string, yield func(Library) bool) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return
	}
	defer r.Close()
	read := func(name string) (string, error) {
		data, _, err := disk.ReadRegular(r.OpenFile, filepath.FromSlash(name), 0, maxLock)
		return string(data), err
	}
	for i := range table {
		f := &table[i]
		follow, seen := regexp.MustCompile(f.Follow), map[string]bool{}
		for _, name := range f.Names {
			names := []string{name}
			if strings.Contains(name, "*") {
				names, _ = fs.Glob(r.FS(), name)
			}
			// Of several projects beside each other the first by name speaks first.
			for at := 0; at < min(len(names), maxBeside); at++ {
				name := names[at]
				text, err := read(name)
				if err != nil || f.Follow != "" && seen[name] {
					continue
				}
				if seen[name] = true; f.Follow != "" {
					for _, further := range follow.FindAllStringSubmatch(text, maxBeside) {
						names = append(names, path.Join(path.Dir(name), further[1]))
					}
				}
				var asked map[string]bool
				if len(f.Asked) > 0 {
					manifest, _ := read(path.Join(path.Dir(name), f.Asked[0]))
					asked = keys(f, manifest)
				}
				more := true
				pins(f, text, asked, func(lib, version string) bool {
					if lib = strings.TrimSpace(lib); lib != "" && exact(version) {
						more = yield(Library{Name: lib, Version: strings.TrimPrefix(version, "="), Source: name})
					}
					return more
				})
				if !more {
					return
				}
			}
		}
	}
}

// exact reports whether a version is one, not a range.
func exact(v string) bool {
	v = strings.TrimPrefix(v, "=")
	if v == "" || len(v) > 100 || strings.ContainsAny(v, "^~<>*|, $()[]") {
		return false
	}
	return '0' <= v[0] && v[0] <= '9' || v[0] == 'v' && len(v) > 1 && '0' <= v[1] && v[1] <= '9'
}
