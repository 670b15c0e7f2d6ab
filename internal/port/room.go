package port

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
)

// Folder is where the ports of all projects lie in the state folder.
const Folder = "ports"

// Shared is where a project that shares its ports has them, relative to its root.
const Shared = ".moai/ports"

// Bounds of what is read: ports in a tree are a stranger's.
const (
	maxFile  = 64 << 10
	maxAll   = 4 << 20
	maxPorts = 2000

	maxBroken = 50 // files that are none
)

const ending = ".md"

// Room is where the ports of one project are.
type Room struct {
	StateDir string // moai's
	Ports    string // the files
	Kept     string // claims, and what is known of the work
	Shared   bool
}

// Anywhere reports that some project has ports. It is the one look that a call pays for in a project that has none.
func Anywhere(stateDir string) bool {
	_, err := os.Lstat(filepath.Join(stateDir, Folder))
	return err == nil
}

// In is the room of the project with that root.
func In(stateDir, root string, shared bool) Room {
	r := Room{StateDir: stateDir, Kept: filepath.Join(stateDir, Folder, state.ProjectKey(common(root))), Shared: shared}
	r.Ports = filepath.Join(r.Kept, "port")
	if shared {
		r.Ports = filepath.Join(root, filepath.FromSlash(Shared))
	}
	return r
}

// common is the folder that stands for all work trees of a project: the one around Git's own, with the way to a project that lies
// below the top; outside Git the project's own, which stays the same when Git comes.
func common(root string) string {
	if info, err := os.Lstat(filepath.Join(root, ".git")); err == nil && info.IsDir() { // the usual case needs no more than that
		return root
	}
	r, err := repo.Open(root)
	if err != nil {
		return root
	}
	rel, err := filepath.Rel(disk.Real(r.WorkTree), disk.Real(root))
	if err != nil || !filepath.IsLocal(rel) {
		rel = "."
	}
	git := disk.Real(r.CommonDir)
	if filepath.Base(git) == ".git" {
		git = filepath.Dir(git)
	}
	return filepath.Join(git, rel)
}

// Used reports that the project has, or had, ports: one look.
func (r *Room) Used() bool {
	_, err := os.Lstat(r.Ports)
	return err == nil
}

func (r *Room) file(id string) string { return filepath.Join(r.Ports, state.SafeName(id)+ending) }

// locked runs do while no other process changes the ports of the project.
func (r *Room) locked(do func() error) error {
	return state.Locked(filepath.Join(r.Kept, "lock"), do)
}

// List reads all ports, by their ids, and says what could not be read. It stops nobody.
func (r *Room) List() (list []*Port, broken []error) {
	if err := r.leads(); err != nil {
		return nil, []error{err}
	}
	entries, err := os.ReadDir(r.Ports)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		broken = append(broken, fmt.Errorf("read ports: %w", err))
	}
	size := 0
	for _, e := range entries {
		if len(list) == maxPorts || size > maxAll || len(broken) > maxBroken {
			broken = append(broken, fmt.Errorf("%s: too many or too large files of ports: the rest is not read", r.Ports))
			break
		}
		if e.IsDir() || !strings.HasSuffix(e.Name(), ending) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		p, err := read(filepath.Join(r.Ports, e.Name()))
		if err != nil {
			broken = append(broken, err)
			continue
		}
		size += p.size
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *Port) int { return strings.Compare(a.ID, b.ID) })
	return list, broken
}

func read(path string) (*Port, error) {
	data, _, err := disk.ReadFile(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read port: %w", err)
	}
	p, err := parse(path, strings.TrimSuffix(filepath.Base(path), ending), string(data))
	if p != nil {
		p.size = len(data)
	}
	return p, err
}

// ErrNone says that there is no port of an id.
var ErrNone = errors.New("there is no port")

// Read is the port of an id: ErrNone, or a Broken, where there is none.
func (r *Room) Read(id string) (*Port, error) {
	if err := r.leads(); err != nil {
		return nil, err
	}
	p, err := read(r.file(id))
	if err == nil && p.ID == id {
		return p, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	list, _ := r.List() // people rename files
	for _, p := range list {
		if p.ID == id {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%w %s", ErrNone, id)
}

// ErrThere says that an id is taken.
var ErrThere = errors.New("there is a port of that id")

// Create makes a port; without an id it gets one.
func (r *Room) Create(p *Port, now time.Time) error {
	p.Status, p.Created = Pending, now
	p.tidy()
	return r.locked(func() error {
		all, _ := r.List()
		for made := p.ID == ""; made && (p.ID == "" || r.taken(p.ID, all)); {
			p.ID = newID()
		}
		if r.taken(p.ID, all) {
			return fmt.Errorf("%w: %s", ErrThere, p.ID)
		}
		if err := fits(all, p); err != nil {
			return err
		}
		p.Path = r.file(p.ID)
		return r.write(p)
	})
}

func (r *Room) taken(id string, all []*Port) bool {
	_, err := os.Lstat(r.file(id)) // names that differ in case alone are one file on some systems
	return err == nil || slices.ContainsFunc(all, func(p *Port) bool { return p.ID == id })
}

// Change edits a port under the lock. Nothing is written where change reports an error.
func (r *Room) Change(id string, change func(*Port) error) (p *Port, err error) {
	err = r.locked(func() error {
		if p, err = r.Read(id); err != nil {
			return err
		}
		if err = change(p); err != nil {
			return err
		}
		p.tidy()
		all, _ := r.List()
		if err = fits(all, p); err != nil {
			return err
		}
		return r.write(p)
	})
	return p, err
}

// ErrLeads says that the folder of a project's ports is somewhere else: a clone must not choose where moai reads and writes.
var ErrLeads = errors.New("no folder, and what it leads to may be anywhere")

// leads says that a link, or a file, is where the folder of a tree's ports should be.
func (r *Room) leads() error {
	if !r.Shared {
		return nil
	}
	for _, dir := range []string{filepath.Dir(r.Ports), r.Ports} {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return fmt.Errorf("%w: %s", ErrLeads, dir)
		}
	}
	return nil
}

func (r *Room) write(p *Port) error {
	if !r.Shared {
		return state.Replace(p.Path, []byte(p.render()))
	}
	if err := r.leads(); err != nil {
		return err
	}
	for _, dir := range []string{filepath.Dir(r.Ports), r.Ports} {
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("make folder of ports: %w", err)
		}
	}
	if err := state.Replace(p.Path, []byte(p.render())); err != nil {
		return err
	}
	return os.Chmod(p.Path, 0o644) // the tree is for everybody whom the repository is for
}
