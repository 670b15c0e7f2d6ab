package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// Folders are the places of one user: what the environment names, where that can be
// believed, and else what the password database does.
//
// Whoever wrote a cloned repository can set the variables of everything that an agent
// starts there. So a folder that could have come with a clone, or is somebody else's,
// loosens nothing; and one that is merely somewhere else than the account's own does
// not take away what that one tightens.
type Folders struct {
	Home   string // "" where there is none
	Config string // the configuration and rules, "" where there is no home
	State  string
	// Doubted says that Config may only tighten.
	Doubted bool
	// Beside are further configuration folders, which may only tighten.
	Beside []string
	// Spent are further state folders, where exceptions may have been used up.
	Spent []string
	// Homes are other folders that may be meant where a command says "~".
	Homes []string
	// Doubts are what was not believed, for people.
	Doubts []Doubt
	// Moved are the variables of those doubts that name another folder than the one that
	// counts now.
	Moved []string
}

// Doubt is a variable that names a folder which loosens nothing.
type Doubt struct {
	Variable string
	Path     string
	Why      string
	Instead  string // the state folder, where it does not lie in Path
}

func (d Doubt) String() string {
	if d.Why == missing && d.Instead != "" {
		return fmt.Sprintf("%s names %s, which %s and is not made; what moai keeps is in %s", d.Variable, d.Path, d.Why, d.Instead)
	}
	text := fmt.Sprintf("%s names %s, which %s: settings and exceptions there count only where they make the guard stricter", d.Variable, d.Path, d.Why)
	// Nobody did anything wrong: people do work in their home. They are told how to have all of it.
	if d.Variable == HomeVariable && (strings.HasPrefix(d.Why, inTree) || strings.HasPrefix(d.Why, inProject) || strings.HasPrefix(d.Why, ofProject)) {
		text += "; to have all of them count, begin the session in a project of its own below or beside it"
	}
	if d.Instead != "" { // else somebody takes the record that he sees for the one of the folder that he named
		text += "; what moai keeps is in " + d.Instead
	}
	return text
}

// Why a folder is doubted that is in reach of what an agent does in a project.
const (
	inTree    = "lies in the work tree "
	inProject = "lies in the project "
	ofProject = "belongs to the project "
	unbegun   = "is not what the agent began with"
	missing   = "is not there"
)

// Asked is what [Find] goes by.
type Asked struct {
	Getenv func(string) string
	// Account is the home that the password database names, see [Account]; "" where it is
	// not known.
	Account string
	// Projects are the folders that a hook is about: its project and its working directory.
	Projects []string
	// Began is the value with which the client of this process began, before it read any settings; nil where nobody asks for that. To know it
	// for sure costs more, so that is asked only of a value that is another one.
	Began func(variable string) (value string, known func() bool)
}

// given reports that a variable is not what the client began with: it read the value in settings, which a clone can bring.
func (a *Asked) given(variable string) (began string, given bool) {
	if a.Began == nil {
		return "", false
	}
	began, known := a.Began(variable)
	return began, filepath.Clean(began) != filepath.Clean(a.Getenv(variable)) && known()
}

// Find finds the folders. It costs a few looks at the file system while everything is where
// it usually is.
func Find(a Asked) Folders {
	s := search{Asked: a, account: a.Account}
	f := Folders{}
	named := Home(a.Getenv)
	switch {
	case named == "":
		f.Home = s.account
	case s.account != "" && disk.Same(named, s.account):
		s.account, f.Home = named, named
		if !isFolder(named) {
			s.adrift, s.missing, f.Doubted = true, true, true
			f.Doubts = append(f.Doubts, Doubt{Variable: HomeVariable, Path: named, Why: missing})
			break
		}
		// People keep their home under version control. While that is the project, what it
		// holds is in reach of whoever the agent listens to.
		if top := s.around(configIn(named)); top != "" {
			f.Doubted = true
			f.Doubts = append(f.Doubts, Doubt{Variable: HomeVariable, Path: named, Why: ofProject + top})
		}
	default:
		why := s.doubt(named)
		if why == "" && !isFolder(named) {
			why = missing
		}
		if began, given := s.given(HomeVariable); why == "" && given && began != "" {
			why = unbegun
		}
		if why != "" {
			f.Doubts = append(f.Doubts, Doubt{Variable: HomeVariable, Path: named, Why: why})
			if len(named) <= maxPath {
				f.Homes = append(f.Homes, named)
			}
			if f.Home = s.account; f.Home == "" {
				s.adrift, s.missing, f.Home, f.Doubted = true, why == missing, named, true
			} else {
				f.Beside = append(f.Beside, configIn(named))
				f.Moved = append(f.Moved, HomeVariable)
			}
			break
		}
		f.Home = named
		if s.account != "" {
			f.Homes = append(f.Homes, s.account)
			f.Beside = append(f.Beside, configIn(s.account))
			f.Spent = append(f.Spent, stateIn(s.account))
		}
	}
	s.config(&f)
	s.state(&f)
	for i := range f.Doubts {
		if d := &f.Doubts[i]; d.Why == missing || (d.Variable == HomeVariable || d.Variable == stateVariable) && !strings.HasPrefix(f.State, d.Path+string(filepath.Separator)) {
			d.Instead = f.State
		}
	}
	return f
}

// isFolder reports a folder that is there. A home that is not belongs to nobody who works, and is not moai's to make.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// search is what one Find knows.
type search struct {
	Asked
	account string
	adrift  bool     // the home is doubted, and the account's is not known
	missing bool     // the home is not there, and neither is another
	bare    []string // looked at, and neither it nor a folder above is under version control
}

// config settles the folder of the configuration where a variable names one.
func (s *search) config(f *Folders) {
	if !s.missing { // else it would be made with the first setting
		f.Config = configIn(f.Home)
	}
	name, base, dir := configNamed(s.Getenv)
	if dir == "" || dir == f.Config {
		return
	}
	if began, given := s.given(name); given && !s.missing {
		f.Doubts = append(f.Doubts, Doubt{Variable: name, Path: base, Why: unbegun})
		f.Beside = append(f.Beside, dir)
		f.Moved = append(f.Moved, name)
		name, base, dir = configNamed(func(v string) string {
			if v == name {
				return began
			}
			return ""
		})
		if dir == "" || dir == f.Config {
			return
		}
	}
	if why := s.doubt(base); why != "" {
		f.Doubts = append(f.Doubts, Doubt{Variable: name, Path: base, Why: why})
		if f.Config == "" {
			f.Config, f.Doubted = dir, true
		} else {
			f.Beside = append(f.Beside, dir)
			f.Moved = append(f.Moved, name)
		}
		return
	}
	if f.Config != "" && !slices.Contains(f.Beside, f.Config) {
		f.Beside = append(f.Beside, f.Config)
	}
	// The home may be doubted, and this one is not in it.
	f.Config, f.Doubted = dir, false
}

// state settles the folder for what moai remembers.
func (s *search) state(f *Folders) {
	// A home that came with a clone is no place for copies of what is deleted in the clone.
	if !s.adrift {
		f.State = stateIn(f.Home)
	}
	name, base, dir := stateNamed(s.Getenv)
	if dir != "" && dir != f.State {
		if why := s.doubt(base); why != "" {
			f.Doubts = append(f.Doubts, Doubt{Variable: name, Path: base, Why: why})
			f.Moved = append(f.Moved, name)
		} else {
			if f.State != "" {
				f.Spent = append(f.Spent, f.State)
			}
			f.State = dir
		}
	}
	if f.State == "" {
		f.State = homeless(temporary())
	}
}

// Doubt says why a file or folder that a variable names cannot be believed to be the user's
// own choice, "" if it can.
func (a Asked) Doubt(path string) string {
	if !filepath.IsAbs(path) {
		return "depends on the working directory"
	}
	s := search{Asked: a, account: a.Account}
	return s.doubt(path)
}

// doubt says why a folder cannot be believed to be the user's own choice, "" if it can.
func (s *search) doubt(dir string) string {
	if TooDeep(dir) {
		return "lies too deep to be looked at"
	}
	real, err := resolved(dir)
	if err != nil {
		return "cannot be looked at"
	}
	if info, err := os.Stat(real); err == nil && !Belongs(info) {
		return "belongs to somebody else"
	}
	if top := s.workTree(real); top != "" {
		return inTree + top
	}
	// A project that came as an archive has no .git. One that holds the home is where people
	// begin sessions that are about no project.
	for _, p := range s.Projects {
		if TooDeep(p) {
			continue
		}
		if r, err := disk.EvalLinks(p); err == nil && within(real, r) && !within(s.account, r) {
			return inProject + p
		}
	}
	return ""
}

// around is the project under version control that dir, in the account's own home, is
// part of. Few have their home there, so that is asked first.
func (s *search) around(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		mine := within(d, s.account) // above the home names must do: nobody's home is a link to a part of a project
		if mine && hasGit(d) || !mine {
			for _, p := range s.Projects {
				if d == p && (mine || hasGit(p)) || mine && disk.Same(d, p) {
					return p
				}
			}
		}
		if d == filepath.Dir(d) {
			return ""
		}
	}
}

// maxDepth bounds the folders above a user's own. Looking at each takes the system a look at all above it, and a
// clone can hold a thousand of them.
const maxDepth = 64

// maxPath is the longest path in bytes that a system takes; behind a longer one there is nothing.
const maxPath = 4096

// TooDeep reports a path with more folders than anybody has above a home or a project.
func TooDeep(path string) bool {
	return len(path) > maxPath || strings.Count(filepath.ToSlash(path), "/") > maxDepth
}

// Shallow is what of a path is not too deep: the part that lies higher up.
func Shallow(path string) string {
	if !TooDeep(path) {
		return path
	}
	path = path[:min(len(path), maxPath)]
	depth := 0
	for i := range len(path) {
		if os.IsPathSeparator(path[i]) {
			if depth++; depth > maxDepth {
				return path[:i]
			}
		}
	}
	return path[:strings.LastIndexAny(path, `/`+string(filepath.Separator))]
}

// resolved follows the links in the part of a path that is there. /proc/self/cwd is a
// way into the project without its name.
func resolved(dir string) (string, error) {
	rest := ""
	for d := dir; ; {
		real, err := disk.EvalLinks(d)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		up := filepath.Dir(d)
		// Where d itself is what is not there, all above it has been looked at, and none of it is a link: else the name would be another one.
		var at *fs.PathError
		if errors.As(err, &at) && at.Path == d && errors.Is(err, fs.ErrNotExist) && filepath.Clean(d) == d {
			return filepath.Join(d, rest), nil
		}
		// A link that leads to nothing yet can lead anywhere tomorrow.
		if _, there := os.Lstat(d); !errors.Is(err, fs.ErrNotExist) || there == nil || up == d {
			return "", err
		}
		rest = filepath.Join(filepath.Base(d), rest)
		d = up
	}
}

// workTree is the nearest folder upwards that is under version control, "" if there is none. What the environment names
// lies side by side, mostly, so that the folders above are looked at once.
func (s *search) workTree(dir string) string {
	var seen []string
	for d := dir; !slices.Contains(s.bare, d); d = filepath.Dir(d) {
		if hasGit(d) {
			return d
		}
		if seen = append(seen, d); d == filepath.Dir(d) {
			break
		}
	}
	s.bare = append(s.bare, seen...)
	return ""
}

func hasGit(dir string) bool { return disk.There(filepath.Join(dir, ".git")) }

// within reports whether path is dir, or below it, by its name.
func within(path, dir string) bool {
	if path == "" || dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
