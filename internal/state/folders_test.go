package state

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/modu-ai/moai/internal/kit"
)

// place is a machine with an account's home, a home moved elsewhere, a clone, and an archive
// that was unpacked.
type place struct{ home, moved, clone, unpacked string }

func newPlace(t *testing.T) place {
	t.Helper()
	top := kit.Dir(t)
	p := place{filepath.Join(top, "home"), filepath.Join(top, "moved"), filepath.Join(top, "home", "clone"), filepath.Join(top, "unpacked")}
	for _, dir := range []string{p.home, p.moved, filepath.Join(p.clone, ".git"), filepath.Join(p.clone, "x", "moai"), filepath.Join(p.unpacked, "x")} {
		kit.Must(t, os.MkdirAll(dir, 0o755))
	}
	return p
}

// What counts, for each way in which variables can name the folders. A "!" marks a configuration that may only tighten.
func TestFind(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the names of the folders are those of Linux")
	}
	p := newPlace(t)
	in := func(home string) string { return filepath.Join(home, ".config", "moai") }
	st := func(home string) string { return filepath.Join(home, ".local", "state", "moai") }
	link := filepath.Join(p.moved, "link")
	kit.Must(t, os.Symlink(filepath.Join(p.clone, "x"), link))
	gone := filepath.Join(p.moved, "gone")
	kit.Must(t, os.Symlink(filepath.Join(p.moved, "nothing", "yet"), gone))
	tests := []struct {
		name    string
		env     map[string]string
		account string
		project string
		config  string
		state   string
		beside  []string
		spent   []string
		doubt   string // what is said; "" for nothing
	}{
		{"as usual", map[string]string{"HOME": p.home}, p.home, p.clone, in(p.home), st(p.home), nil, nil, ""},
		{"said again", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.home + "/.config", "XDG_STATE_HOME": p.home + "/.local/state"}, p.home, p.clone, in(p.home), st(p.home), nil, nil, ""},
		{"no home named", nil, p.home, p.clone, in(p.home), st(p.home), nil, nil, ""},
		{"relative", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": "x", "XDG_STATE_HOME": "x"}, p.home, p.clone, in(p.home), st(p.home), nil, nil, ""},
		{"account not known", map[string]string{"HOME": p.home}, "", p.clone, in(p.home), st(p.home), nil, nil, ""},

		{"moved by a person", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.moved, "XDG_STATE_HOME": p.moved}, p.home, p.clone, p.moved + "/moai", p.moved + "/moai", []string{in(p.home)}, []string{st(p.home)}, ""},
		{"home moved by a person", map[string]string{"HOME": p.moved}, p.home, p.clone, in(p.moved), st(p.moved), []string{in(p.home)}, []string{st(p.home)}, ""},
		{"home moved, account not known", map[string]string{"HOME": p.moved}, "", p.clone, in(p.moved), st(p.moved), nil, nil, ""},

		{"configuration in a clone", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.clone + "/x"}, p.home, p.clone, in(p.home), st(p.home), []string{p.clone + "/x/moai"}, nil, "XDG_CONFIG_HOME"},
		{"configuration in another clone", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.clone + "/x"}, p.home, p.unpacked, in(p.home), st(p.home), []string{p.clone + "/x/moai"}, nil, "work tree"},
		{"by a link", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": link}, p.home, p.clone, in(p.home), st(p.home), []string{link + "/moai"}, nil, "XDG_CONFIG_HOME"},
		{"by a link to nothing yet", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": gone}, p.home, p.clone, in(p.home), st(p.home), []string{gone + "/moai"}, nil, "cannot be looked at"},
		{"not made yet, in a clone", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.clone + "/a/b"}, p.home, p.clone, in(p.home), st(p.home), []string{p.clone + "/a/b/moai"}, nil, "work tree"},
		{"in an archive", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.unpacked + "/x"}, p.home, p.unpacked, in(p.home), st(p.home), []string{p.unpacked + "/x/moai"}, nil, "lies in the project"},
		{"state in a clone", map[string]string{"HOME": p.home, "XDG_STATE_HOME": p.clone}, p.home, p.clone, in(p.home), st(p.home), nil, nil, "XDG_STATE_HOME"},
		{"home in a clone", map[string]string{"HOME": p.clone + "/x"}, p.home, p.clone, in(p.home), st(p.home), []string{in(p.clone + "/x")}, nil, "HOME"},
		{"home is the clone", map[string]string{"HOME": p.clone}, p.home, p.clone, in(p.home), st(p.home), []string{in(p.clone)}, nil, "HOME"},
		{"home in a clone, account not known", map[string]string{"HOME": p.clone}, "", p.clone, "!" + in(p.clone), temporary(), nil, nil, "HOME"},
		{"home in a clone, settings not", map[string]string{"HOME": p.clone, "XDG_CONFIG_HOME": p.moved}, "", p.clone, p.moved + "/moai", temporary(), []string{in(p.clone)}, nil, "HOME"},
		{"everything in a clone, no home", map[string]string{"XDG_CONFIG_HOME": p.clone, "XDG_STATE_HOME": p.clone}, "", p.clone, "!" + p.clone + "/moai", temporary(), nil, nil, "XDG_CONFIG_HOME"},

		{"a session about no project, in the home", map[string]string{"HOME": p.home}, p.home, p.home, in(p.home), st(p.home), nil, nil, ""},
		{"a session above the home", map[string]string{"HOME": p.home, "XDG_CONFIG_HOME": p.home + "/cfg"}, p.home, filepath.Dir(p.home), p.home + "/cfg/moai", st(p.home), []string{in(p.home)}, nil, ""},
	}
	for _, tt := range tests {
		f := Find(Asked{Getenv: func(k string) string { return tt.env[k] }, Account: tt.account, Projects: []string{tt.project}})
		config := f.Config
		if f.Doubted {
			config = "!" + config
		}
		said := ""
		for _, d := range f.Doubts {
			said += d.String() + "\n"
		}
		if config != tt.config || f.State != tt.state || !cmp.Equal(f.Beside, tt.beside) || !cmp.Equal(f.Spent, tt.spent) {
			t.Errorf("%s: config %s, state %s, beside %q, spent %q; want %s, %s, %q, %q", tt.name, config, f.State, f.Beside, f.Spent, tt.config, tt.state, tt.beside, tt.spent)
		}
		if (said == "") != (tt.doubt == "") || !strings.Contains(said, tt.doubt) {
			t.Errorf("%s: said %q, want %q in it", tt.name, said, tt.doubt)
		}
	}
}

// A variable that is not what the client began with came with settings, which a clone can hold.
func TestFindGiven(t *testing.T) {
	p := newPlace(t)
	ask := func(env, began map[string]string) Folders {
		return Find(Asked{
			Getenv: func(k string) string { return env[k] }, Account: p.home, Projects: []string{p.clone},
			Began: func(k string) (string, func() bool) { return began[k], func() bool { return began != nil } },
		})
	}
	own := filepath.Join(p.home, "own")
	config := "XDG_CONFIG_HOME"
	for _, tt := range []struct {
		name       string
		env, began map[string]string
		config     string
		doubts     int
	}{
		{"the same", map[string]string{HomeVariable: p.home, config: p.moved}, map[string]string{HomeVariable: p.home, config: p.moved + "/"}, filepath.Join(p.moved, "moai"), 0},
		{"not known", map[string]string{HomeVariable: p.home, config: p.moved}, nil, filepath.Join(p.moved, "moai"), 0},
		{"none before", map[string]string{HomeVariable: p.home, config: p.moved}, map[string]string{HomeVariable: p.home}, configIn(p.home), 1},
		{"another before", map[string]string{HomeVariable: p.home, config: p.moved}, map[string]string{HomeVariable: p.home, config: own}, filepath.Join(own, "moai"), 1},
		{"a clone before", map[string]string{HomeVariable: p.home, config: p.moved}, map[string]string{HomeVariable: p.home, config: p.clone}, configIn(p.home), 2},
		{"another home", map[string]string{HomeVariable: p.moved}, map[string]string{HomeVariable: p.home}, configIn(p.home), 1},
		{"the same home", map[string]string{HomeVariable: p.moved}, map[string]string{HomeVariable: p.moved}, configIn(p.moved), 0},
	} {
		if f := ask(tt.env, tt.began); f.Config != tt.config || f.Doubted || len(f.Doubts) != tt.doubts {
			t.Errorf("%s: configuration %s, doubted %v, %v; want %s and %d doubts", tt.name, f.Config, f.Doubted, f.Doubts, tt.config, tt.doubts)
		}
	}
}

// People keep their home, or the settings in it, under version control. That is fine until
// it is the project that an agent works on.
func TestDotfiles(t *testing.T) {
	p := newPlace(t)
	ask := func(project string) Folders {
		return Find(Asked{Getenv: func(k string) string { return map[string]string{HomeVariable: p.home}[k] }, Account: p.home, Projects: []string{project}})
	}
	for _, at := range []string{p.home, filepath.Join(p.home, ".config")} {
		if runtime.GOOS == "windows" && at != p.home {
			continue
		}
		git := filepath.Join(at, ".git")
		kit.Must(t, os.MkdirAll(git, 0o755))
		if f := ask(p.clone); f.Doubted || len(f.Doubts) > 0 {
			t.Errorf("%s under version control: %v", at, f.Doubts)
		}
		if f := ask(at); !f.Doubted || len(f.Doubts) != 1 || f.Config != configIn(p.home) {
			t.Errorf("the agent works on %s: doubted %v, %v, configuration %s", at, f.Doubted, f.Doubts, f.Config)
		}
		kit.Must(t, os.RemoveAll(git))
	}
}

// Somebody else's folder is no place for the user's word.
func TestForeignOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	p := newPlace(t)
	if err := os.Chown(p.moved, 12345, -1); err != nil {
		t.Skip("no folder can be given away here:", err)
	}
	f := Find(Asked{Getenv: func(k string) string {
		return map[string]string{HomeVariable: p.home, "XDG_CONFIG_HOME": p.moved}[k]
	}, Account: p.home})
	if f.Config != configIn(p.home) || len(f.Doubts) != 1 || !strings.Contains(f.Doubts[0].String(), "somebody else") {
		t.Errorf("configuration %s, %v", f.Config, f.Doubts)
	}
}

// The password database names the home, and no variable does.
func TestAccount(t *testing.T) {
	t.Setenv(HomeVariable, t.TempDir())
	if got := Account(os.Getenv(HomeVariable)); got == os.Getenv(HomeVariable) || got != "" && !filepath.IsAbs(got) {
		t.Errorf("Account = %q", got)
	}
}
