package repo

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

func all(*Setting) bool { return true }

func TestEditedSettings(t *testing.T) {
	upstream := []Setting{{"branch", "a", "remote", "origin", false}, {"branch", "a", "merge", "refs/heads/a", false}}
	for _, row := range []struct{ name, text, want string }{
		{"gone", "# mine\n[core]\n\tbare = false ; why\n", "# mine\n[core]\n\tbare = false ; why\n[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n"},
		{"there", "[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n", "[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n"},
		{"old form", "[branch.a]\n\tremote = origin\n\tmerge = refs/heads/a\n", "[branch.a]\n\tremote = origin\n\tmerge = refs/heads/a\n"},
		{"other value", "[branch \"a\"]\n\tremote = fork # new\n\tmerge = refs/heads/a\n[x]\n\ty\n", "[branch \"a\"]\n\tmerge = refs/heads/a\n\tremote = origin\n[x]\n\ty\n"},
		{"twice", "[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/b\n[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n", "[branch \"a\"]\n\tremote = origin\n[branch \"a\"]\n\tmerge = refs/heads/a\n"},
		{"header alone", "[branch \"a\"]\n[x]\n\ty = 1\n", "[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n[x]\n\ty = 1\n"},
		{"one line", "[branch \"a\"] remote = fork\n", "[branch \"a\"] \n\tremote = origin\n\tmerge = refs/heads/a\n"},
		{"no line end", "[branch \"a\"]\n\tremote = origin", "[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n"},
		{"empty", "", "[branch \"a\"]\n\tremote = origin\n\tmerge = refs/heads/a\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := edited(row.text, []string{"branch.a"}, upstream, all)
			if err != nil || got != row.want {
				t.Errorf("got %q, %v\nwant %q", got, err, row.want)
			}
		})
	}
	if _, err := edited("[branch \"a\"\n", []string{"branch.a"}, upstream, all); err == nil {
		t.Error("a damaged file was changed")
	}
	got, err := edited("[branch \"a\"]\n\tmergeoptions = --no-ff\n\tremote = fork\n", []string{"branch.a"}, upstream[:1], func(s *Setting) bool { return s.Key == "remote" })
	if want := "[branch \"a\"]\n\tmergeoptions = --no-ff\n\tremote = origin\n"; err != nil || got != want {
		t.Errorf("what is not owned: %q, %v", got, err)
	}
}

// TestEditedSettingsByGit takes sections away with git and asks git what it reads after they have come back.
func TestEditedSettingsByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	values := []string{"origin", "a b", " outer ", "semi;colon", "has#hash", `back\slash`, `qu"ote`, "new\nline", "tab\tin", "", "한글", "https://x.example/?a=b"}
	names := []string{"main", "feature/x", `od"d`, `back\s`, "with blank", "한글", "Upper", "a.b.c"}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 20 {
		dir := t.TempDir()
		file := filepath.Join(dir, "config")
		git := func(args ...string) string {
			c := exec.Command("git", append([]string{"config", "-f", file}, args...)...)
			c.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
			out, err := c.Output()
			if err != nil {
				t.Fatalf("git config %q: %v", args, err)
			}
			return string(out)
		}
		kit.Must(t, os.WriteFile(file, []byte("; a comment\n[core] bare = false # at the end\n"), 0o600))
		for range 12 {
			git("--add", "branch."+names[r.IntN(len(names))]+".k"+string(rune('a'+r.IntN(3))), values[r.IntN(len(values))])
		}
		before := sorted(git("-z", "--list"))
		text := kit.Read(t, file)
		l, err := layOut(text)
		kit.Must(t, err)
		var want []Setting
		var sections []string
		for i := range l.vars {
			if l.vars[i].Name == "" { // [core], which stays
				continue
			}
			want = append(want, l.vars[i].Setting)
			if !slices.Contains(sections, l.vars[i].Of()) {
				sections = append(sections, l.vars[i].Of())
			}
		}
		for _, s := range sections[:1+r.IntN(len(sections))] {
			git("--remove-section", s)
		}
		git("--add", sections[len(sections)-1]+".kb", "another")
		left, err := os.ReadFile(file)
		kit.Must(t, err)
		back, err := edited(string(left), sections, want, all)
		kit.Must(t, err)
		kit.Must(t, os.WriteFile(file, []byte(back), 0o600))
		if after := sorted(git("-z", "--list")); after != before {
			t.Fatalf("round %d: git reads\n%q\nwas\n%q\nfile\n%s\nfrom\n%s", round, after, before, back, left)
		}
		if !strings.HasPrefix(back, "; a comment\n[core] bare = false # at the end\n") {
			t.Errorf("what stands before has changed: %q", back)
		}
	}
}

func sorted(z string) string {
	list := strings.Split(z, "\x00")
	slices.Sort(list)
	return strings.Join(list, "\n")
}
