package jit

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// pinFiles are the rows of the rules.
func pinFiles(t *testing.T) []rule.LibraryFile {
	t.Helper()
	list, err := rule.LoadLibraries(os.DirFS("../.."))
	kit.Must(t, err)
	return list
}

// Two target frameworks may resolve a package to two versions. Which one is told is the same each time.
func TestLibrariesAreTheSameEachTime(t *testing.T) {
	root := project(t, map[string]string{"packages.lock.json": `{"dependencies": {
		"net8.0": {"A": {"resolved": "8.0.0"}}, "net6.0": {"A": {"resolved": "6.0.0"}}, "net7.0": {"A": {"resolved": "7.0.0"}}}}`})
	for range 30 {
		if got, _ := FindLibrary(pinFiles(t), root, "A", 0); got.Version != "8.0.0" {
			t.Fatalf("FindLibrary = %+v, want what the last framework has", got)
		}
		var got []string
		for _, l := range PinnedLibraries(pinFiles(t), root) {
			got = append(got, l.Version)
		}
		if want := []string{"8.0.0", "7.0.0", "6.0.0"}; !slices.Equal(got, want) {
			t.Fatalf("PinnedLibraries = %v, want %v", got, want)
		}
	}
}

// What a file of requirements takes in from another counts, once, and nothing outside of the project.
func TestLibrariesFollowed(t *testing.T) {
	root := project(t, map[string]string{
		"requirements.txt":                 "-r deploy/production.txt\n-r ../../../../etc/outside.txt\n",
		"deploy/production.txt":            "-r base.txt\nelasticsearch==5.5.3\n",
		"deploy/base.txt":                  "-r production.txt\n--requirement=more.txt\ndjango==5.0.1\n",
		"deploy/more.txt":                  "wagtail==7.1\n",
		"requirements/development.txt":     "ruff==0.15.15\n",
		"deploy/nobody-names-this-one.txt": "flask==3.0.0\n",
	})
	var got []string
	for _, l := range PinnedLibraries(pinFiles(t), root) {
		got = append(got, l.Name+" "+l.Version+" "+l.Source)
	}
	want := []string{"django 5.0.1 deploy/base.txt", "elasticsearch 5.5.3 deploy/production.txt", "ruff 0.15.15 requirements/development.txt", "wagtail 7.1 deploy/more.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("PinnedLibraries = %q, want %q", got, want)
	}
}

// Files made to be slow are read in time that grows with their length alone; else it would be minutes, so the bound holds on a busy machine too.
func TestLibrariesBounded(t *testing.T) {
	const size = 4 << 20
	for name, text := range map[string]string{
		"project.clj": strings.Repeat("[", size),
		"pom.xml":     "<properties>" + strings.Repeat("<a>1</a>", size/16) + "</properties>" + strings.Repeat("<dependency><version>${b}</version></dependency>", size/96),
	} {
		root := project(t, map[string]string{name: text})
		start := time.Now()
		PinnedLibraries(pinFiles(t), root)
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: %d MB took %v", name, size>>20, d)
		}
	}
}

// The examples of every row hold for each of its files, found by its name.
func TestFindLibrary(t *testing.T) {
	table := pinFiles(t)
	for _, fault := range CheckLibraries(table) {
		t.Error(fault)
	}
	for i := range table {
		for _, file := range table[i].Names {
			file = strings.ReplaceAll(file, "*", "x-1")
			for _, hit := range table[i].Hits {
				root := project(t, map[string]string{file: hit[2]})
				if got, ok := FindLibrary(table, root, hit[0], 0); !ok || got.Version != hit[1] || got.Source != file {
					t.Errorf("FindLibrary(%s, %q) = %+v, %t, want %q", file, hit[0], got, ok, hit[1])
				}
			}
			for _, miss := range table[i].Misses {
				if got, ok := FindLibrary(table, project(t, map[string]string{file: miss[1]}), miss[0], 0); ok {
					t.Errorf("FindLibrary(%s, %q) = %+v, want none", file, miss[0], got)
				}
			}
		}
	}
}

// A mistake in a row is found by its examples.
func TestCheckLibraries(t *testing.T) {
	row := rule.LibraryFile{Names: []string{"x"}, Match: `(?P<name>a)=(?P<version>\S+)`, Hits: [][3]string{{"a", "1", "a=1"}, {"a", "2", "a=1"}, {"b", "1", "a=1"}}, Misses: [][2]string{{"b", "a=1"}, {"a", "a=1"}}}
	if got := CheckLibraries([]rule.LibraryFile{row}); len(got) != 3 {
		t.Errorf("CheckLibraries = %v, want the second and third hit, and the second miss", got)
	}
}

// Every language that a project can be written in has a file from which versions are read.
func TestLibrariesOfEveryLanguage(t *testing.T) {
	table := pinFiles(t)
	for language, file := range map[string]string{
		"python": "uv.lock", "typescript": "pnpm-lock.yaml", "javascript": "package-lock.json", "java": "pom.xml", "go": "go.mod", "rust": "Cargo.lock",
		"dart": "pubspec.lock", "swift": "Package.resolved", "kotlin": "build.gradle.kts", "csharp": "packages.lock.json", "php": "composer.lock",
		"ruby": "Gemfile.lock", "elixir": "mix.lock", "scala": "build.sbt", "clojure": "deps.edn", "haskell": "cabal.project.freeze", "cpp": "conan.lock",
		"c": "vcpkg.json", "r": "renv.lock", "julia": "Manifest.toml", "shell": "bpkg.json", "lua": "luarocks.lock",
	} {
		if !slices.ContainsFunc(table, func(f rule.LibraryFile) bool { return slices.Contains(f.Names, file) }) {
			t.Errorf("%s: no row for %s", language, file)
		}
	}
}

func TestSetLibrary(t *testing.T) {
	root := project(t, map[string]string{"go.mod": "module x\nrequire a.b/c v1.0.0\n"})
	kit.Must(t, SetLibrary(root, "fastapi", "0.110.0"))
	kit.Must(t, SetLibrary(root, "a.b/c", "v9.9.9"))
	if l, ok := FindLibrary(pinFiles(t), root, "FastAPI", 0); !ok || l.Version != "0.110.0" || l.Source != "set" {
		t.Errorf("FindLibrary = %+v, %t, want what was set", l, ok)
	}
	if l, _ := FindLibrary(pinFiles(t), root, "a.b/c", 0); l.Version != "v1.0.0" {
		t.Errorf("FindLibrary = %+v, want what go.mod pins", l)
	}
	time.Sleep(time.Second)
	if l, ok := FindLibrary(pinFiles(t), root, "fastapi", time.Millisecond); ok {
		t.Errorf("FindLibrary after its time = %+v, want none", l)
	}
	if err := SetLibrary(root, "", "1"); err == nil {
		t.Error("SetLibrary without a name = nil, want an error")
	}
	// A day later it is dropped.
	file := filepath.Join(root, filepath.FromSlash(LibraryFile))
	old := `{"x": {"version": "1", "timestamp": 1000}, "future": {"version": "1", "timestamp": 99999999999}}`
	kit.Must(t, os.WriteFile(file, []byte(old), 0o600))
	if got := SetLibraries(root, 0); got != nil {
		t.Errorf("SetLibraries = %v, want none that counts", got)
	}
	kit.Must(t, os.WriteFile(file, []byte("{broken"), 0o600))
	if err := SetLibrary(root, "y", "2"); err != nil {
		t.Errorf("SetLibrary over a damaged file = %v", err)
	}
}

func TestSetLibraryStaysInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	outside, root := t.TempDir(), t.TempDir()
	kit.Must(t, os.Symlink(outside, filepath.Join(root, ".moai")))
	if err := SetLibrary(root, "x", "1.0"); err == nil {
		t.Error("SetLibrary through a link out of the project = nil, want an error")
	}
	if names, _ := os.ReadDir(outside); len(names) > 0 {
		t.Errorf("written outside: %v", names)
	}
}

func TestPhases(t *testing.T) {
	dir := t.TempDir()
	one, two := PhasesOf(dir, "/p", "s1"), PhasesOf(dir, "/p", "s2")
	kit.Must(t, one.Save("plan", []byte(`{"spec":"A-001"}`), 0))
	p := one.Load("plan", 0)
	if p == nil || string(p.Data) != `{"spec":"A-001"}` || p.TTL != PhaseTTL {
		t.Fatalf("Load = %+v, want what was saved", p)
	}
	for name, other := range map[string]Phases{"session": two, "project": PhasesOf(dir, "/q", "s1")} {
		if got := other.Load("plan", 0); got != nil {
			t.Errorf("Load from another %s = %+v, want none", name, got)
		}
	}
	kit.Must(t, one.Save("short", []byte(`1`), time.Millisecond))
	time.Sleep(10 * time.Millisecond)
	if got := one.Load("short", 0); got != nil {
		t.Errorf("Load after its time = %+v, want none", got)
	}
	if got := one.Load("plan", time.Millisecond); got != nil {
		t.Errorf("Load of something older than asked = %+v, want none", got)
	}
	// The clock was wrong when it was written: neither way of asking gives it.
	kit.Must(t, state.Write(one.file("late"), Phase{"late", time.Now().Add(time.Hour), PhaseTTL, []byte(`1`)}))
	if got := one.Load("late", 0); got != nil {
		t.Errorf("Load of the future = %+v, want none", got)
	}
	if list := one.List(); len(list) != 1 || list[0].Name != "plan" {
		t.Errorf("List = %+v, want plan", list)
	}
	if err := one.Save("../x", []byte(`1`), 0); err != nil || one.Load("../x", 0) == nil {
		t.Errorf("a name with dots: %v", err)
	}
	if err := one.Save("bad", []byte(`{`), 0); err == nil {
		t.Error("Save(no JSON) = nil, want an error")
	}
	if err := one.Clear("plan"); err != nil || one.Load("plan", 0) != nil {
		t.Errorf("Clear: %v", err)
	}
	if err := one.Clear("plan"); err != nil {
		t.Errorf("Clear again: %v", err)
	}
	if err := one.Clear(""); err != nil || len(one.List()) > 0 {
		t.Errorf("Clear all: %v", err)
	}
}
