package jit

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/state"
)

var libraryCases = []struct{ file, text, name, want string }{
	{"uv.lock", "version = 1\n\n[[package]]\nname = \"requests\"\nversion = \"2.31.0\"\n", "Requests", "2.31.0"},
	{"poetry.lock", "[[package]]\nname = \"typing-extensions\"\nversion = \"4.9.0\"\ndescription = \"x\"\n", "typing_extensions", "4.9.0"},
	{"Pipfile.lock", `{"_meta": {"hash": {}}, "default": {"flask": {"version": "==3.0.0"}}, "develop": {"pytest": {"version": "==8.0.1"}}}`, "pytest", "8.0.1"},
	{"requirements.txt", "# c\nDjango[argon2]==5.0.1 ; python_version > '3.8'\nflask>=2\n", "django", "5.0.1"},
	{"requirements.txt", "flask>=2\n", "flask", ""},
	{"package-lock.json", `{"packages": {"": {"version": "1.0.0"}, "node_modules/react": {"version": "18.2.0"}, "node_modules/a/node_modules/react": {"version": "17.0.0"}}}`, "react", "18.2.0"},
	{"package-lock.json", `{"dependencies": {"@types/node": {"version": "20.1.0"}}}`, "@types/node", "20.1.0"},
	{"pnpm-lock.yaml", "lockfileVersion: '9.0'\n\npackages:\n\n  '@vue/core@3.4.0':\n    resolution: {}\n  react@18.2.0(x@1):\n    resolution: {}\n\nsnapshots:\n", "react", "18.2.0"},
	{"pnpm-lock.yaml", "packages:\n\n  '@vue/core@3.4.0':\n    resolution: {}\n", "@vue/core", ""},
	{"pnpm-lock.yaml", "x: 1\npackages:\n\n  '@vue/core@3.4.0':\n    resolution: {}\n", "@vue/core", "3.4.0"},
	{"yarn.lock", "# yarn lockfile v1\n\n\"@babel/core@^7.0.0\", \"@babel/core@^7.1.0\":\n  version \"7.23.0\"\n", "@babel/core", "7.23.0"},
	{"yarn.lock", "\"react@npm:^18.0.0\":\n  version: 18.2.0\n", "react", "18.2.0"},
	{"bun.lock", "{\n  \"packages\": {\n    \"react\": [\"react@18.2.0\", \"\", {}],\n  }\n}", "react", "18.2.0"},
	{"package.json", `{"dependencies": {"left-pad": "1.3.0", "react": "^18.0.0"}}`, "left-pad", "1.3.0"},
	{"package.json", `{"dependencies": {"react": "^18.0.0"}}`, "react", ""},
	{"Cargo.lock", "[[package]]\nname = \"serde\"\nversion = \"1.0.193\"\nsource = \"x\"\n", "serde", "1.0.193"},
	{"go.mod", "module x\n\nrequire github.com/a/b v1.2.3\nrequire (\n\tgolang.org/x/sys v0.49.0 // indirect\n)\n", "golang.org/x/sys", "v0.49.0"},
	{"Gemfile.lock", "GEM\n  specs:\n    rails (7.1.2)\n      rack (>= 2)\n", "rails", "7.1.2"},
	{"composer.lock", `{"packages": [{"name": "laravel/framework", "version": "v10.0.0"}], "packages-dev": []}`, "laravel/framework", "v10.0.0"},
	{"mix.lock", "%{\n  \"plug\": {:hex, :plug, \"1.15.2\", \"abc\", [:mix]},\n}", "plug", "1.15.2"},
	{"pubspec.lock", "packages:\n  http:\n    dependency: \"direct main\"\n    version: \"1.1.0\"\n", "http", "1.1.0"},
	{"Package.resolved", `{"pins": [{"identity": "swift-nio", "state": {"version": "2.62.0"}}], "version": 2}`, "swift-nio", "2.62.0"},
	{"packages.lock.json", `{"dependencies": {"net8.0": {"Newtonsoft.Json": {"type": "Direct", "resolved": "13.0.3"}}}}`, "newtonsoft.json", "13.0.3"},
	{"App.csproj", `<Project><ItemGroup><PackageReference Include="Serilog" Version="3.1.1" /></ItemGroup></Project>`, "Serilog", "3.1.1"},
	{"gradle.lockfile", "# x\ncom.squareup.okhttp3:okhttp:4.12.0=runtimeClasspath\n", "okhttp", "4.12.0"},
	{"gradle/libs.versions.toml", "[versions]\nktor = \"2.3.7\"\n[libraries]\nktor-core = { module = \"io.ktor:ktor-core\", version.ref = \"ktor\" }\n", "ktor-core", "2.3.7"},
	{"build.gradle", "dependencies {\n  implementation 'org.slf4j:slf4j-api:2.0.9'\n}\n", "org.slf4j:slf4j-api", "2.0.9"},
	{"pom.xml", "<project><properties><junit.version>5.10.1</junit.version></properties><dependencies><dependency><groupId>org.junit</groupId><artifactId>junit</artifactId><version>${junit.version}</version></dependency></dependencies></project>", "junit", "5.10.1"},
	{"build.sbt", "libraryDependencies += \"org.typelevel\" %% \"cats-core\" % \"2.10.0\"\n", "cats-core", "2.10.0"},
	{"deps.edn", "{:deps {org.clojure/clojure {:mvn/version \"1.11.1\"}}}", "clojure", "1.11.1"},
	{"project.clj", "(defproject x \"1\" :dependencies [[ring/ring-core \"1.11.0\"]])", "ring-core", "1.11.0"},
	{"stack.yaml.lock", "packages:\n- completed:\n    hackage: aeson-2.2.1.0@sha256:aa,1\n", "aeson", "2.2.1.0"},
	{"cabal.project.freeze", "constraints: any.aeson ==2.2.1.0,\n             any.text ==2.0.2\n", "text", "2.0.2"},
	{"conan.lock", `{"requires": ["zlib/1.3#abc%1"]}`, "zlib", "1.3"},
	{"conanfile.txt", "[requires]\nfmt/10.2.1\n[generators]\nCMakeDeps\n", "fmt", "10.2.1"},
	{"vcpkg.json", `{"overrides": [{"name": "fmt", "version": "10.1.1"}]}`, "fmt", "10.1.1"},
	{"renv.lock", `{"Packages": {"dplyr": {"Package": "dplyr", "Version": "1.1.4"}}}`, "dplyr", "1.1.4"},
	{"Manifest.toml", "[[deps.JSON]]\nuuid = \"x\"\nversion = \"0.21.4\"\n", "JSON", "0.21.4"},
	{"luarocks.lock", "return {\n   dependencies = {\n      [\"luafilesystem\"] = \"1.8.0-1\",\n   }\n}", "luafilesystem", "1.8.0-1"},
	{"x-1.rockspec", "dependencies = {\n   \"lpeg == 1.1.0\",\n}", "lpeg", "1.1.0"},
	{"pylock.toml", "lock-version = \"1.0\"\n\n[[packages]]\nname = \"attrs\"\nversion = \"25.1.0\"\n", "attrs", "25.1.0"},
	{"build.gradle.kts", "dependencies {\n  implementation(\"io.ktor:ktor-client-core:2.3.7\")\n  testImplementation(\"a:b:$v\")\n}\n", "ktor-client-core", "2.3.7"},
	{"bpkg.json", `{"name": "x", "dependencies": {"term": "0.0.1"}}`, "term", "0.0.1"},
	{"Directory.Packages.props", `<Project><ItemGroup><PackageVersion Include="xunit" Version="2.9.0" /></ItemGroup></Project>`, "xunit", "2.9.0"},
	{"App.csproj", `<PackageReference Include="A" /><PackageReference Include="B"><Version>2.0.0</Version></PackageReference>`, "B", "2.0.0"},
	{"App.csproj", `<PackageReference Include="A" /><PackageReference Include="B"><Version>2.0.0</Version></PackageReference>`, "A", ""},
	{"packrat/packrat.lock", "PackratFormat: 1.4\n\nPackage: dplyr\nSource: CRAN\nVersion: 1.0.2\n", "dplyr", "1.0.2"},
	{"package-lock.json", "{broken", "react", ""},
	{"package.json", "\ufeff{\"dependencies\": {\"left-pad\": \"1.3.0\"}}", "left-pad", "1.3.0"}, // as editors on Windows write it
	{"pnpm-lock.yaml", "x: 1\r\npackages:\r\n\r\n  react@18.2.0:\r\n    resolution: {}\r\n", "react", "18.2.0"},
	{"pnpm-lock.yaml", "x: 1\npackages:\n\n  /react-dom/17.0.2_react@17.0.1:\n    resolution: {}\n", "react-dom", "17.0.2"}, // up to pnpm 7
	{"pnpm-lock.yaml", "x: 1\npackages:\n\n  /@babel/string_decoder/1.3.0_@babel+core@7.0.0:\n    resolution: {}\n", "@babel/string_decoder", "1.3.0"},
	{"pnpm-lock.yaml", "x: 1\npackages:\n\n  /@x/7zip@1.0.0(react@17.0.1):\n    resolution: {}\n", "@x/7zip", "1.0.0"}, // pnpm 8
}

// Two target frameworks may resolve a package to two versions. Which one is told is the same each time.
func TestLibrariesAreTheSameEachTime(t *testing.T) {
	root := project(t, map[string]string{"packages.lock.json": `{"dependencies": {
		"net8.0": {"A": {"resolved": "8.0.0"}}, "net6.0": {"A": {"resolved": "6.0.0"}}, "net7.0": {"A": {"resolved": "7.0.0"}}}}`})
	for range 30 {
		if got, _ := FindLibrary(root, "A", 0); got.Version != "8.0.0" {
			t.Fatalf("FindLibrary = %+v, want what the last framework has", got)
		}
		var got []string
		for _, l := range PinnedLibraries(root) {
			got = append(got, l.Version)
		}
		if want := []string{"8.0.0", "7.0.0", "6.0.0"}; !slices.Equal(got, want) {
			t.Fatalf("PinnedLibraries = %v, want %v", got, want)
		}
	}
}

// Files made to be slow are read in time that grows with their length alone.
func TestLibrariesBounded(t *testing.T) {
	const size = 4 << 20
	for name, text := range map[string]string{
		"project.clj": strings.Repeat("[", size),
		"pom.xml":     "<properties>" + strings.Repeat("<a>1</a>", size/16) + "</properties>" + strings.Repeat("<dependency><version>${b}</version></dependency>", size/96),
	} {
		root := project(t, map[string]string{name: text})
		start := time.Now()
		PinnedLibraries(root)
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%s: %d MB took %v", name, size>>20, d)
		}
	}
}

func TestFindLibrary(t *testing.T) {
	for _, c := range libraryCases {
		root := project(t, map[string]string{c.file: c.text})
		got, ok := FindLibrary(root, c.name, 0)
		if got.Version != c.want || ok != (c.want != "") || ok && got.Source != c.file {
			t.Errorf("FindLibrary(%s, %q) = %+v, %t, want %q", c.file, c.name, got, ok, c.want)
		}
	}
}

// Every language that a project can be written in has a file from which versions are read.
func TestLibrariesOfEveryLanguage(t *testing.T) {
	for language, file := range map[string]string{
		"python": "uv.lock", "typescript": "pnpm-lock.yaml", "javascript": "package-lock.json", "java": "pom.xml", "go": "go.mod", "rust": "Cargo.lock",
		"dart": "pubspec.lock", "swift": "Package.resolved", "kotlin": "build.gradle.kts", "csharp": "packages.lock.json", "php": "composer.lock",
		"ruby": "Gemfile.lock", "elixir": "mix.lock", "scala": "build.sbt", "clojure": "deps.edn", "haskell": "cabal.project.freeze", "cpp": "conan.lock",
		"c": "vcpkg.json", "r": "renv.lock", "julia": "Manifest.toml", "shell": "bpkg.json", "lua": "luarocks.lock",
	} {
		if !slices.ContainsFunc(libraryCases, func(c struct{ file, text, name, want string }) bool { return c.file == file && c.want != "" }) {
			t.Errorf("%s: no fixture for %s", language, file)
		}
	}
	for _, format := range lockFormats {
		if !slices.ContainsFunc(libraryCases, func(c struct{ file, text, name, want string }) bool {
			ok, _ := path.Match(format.file, c.file)
			return c.want != "" && (ok || c.file == format.file)
		}) && !slices.Contains([]string{"pdm.lock", "npm-shrinkwrap.json"}, format.file) { // read as their neighbours are
			t.Errorf("no fixture for %s", format.file)
		}
	}
}

func TestSetLibrary(t *testing.T) {
	root := project(t, map[string]string{"go.mod": "module x\nrequire a.b/c v1.0.0\n"})
	if err := SetLibrary(root, "fastapi", "0.110.0"); err != nil {
		t.Fatal(err)
	}
	if err := SetLibrary(root, "a.b/c", "v9.9.9"); err != nil {
		t.Fatal(err)
	}
	if l, ok := FindLibrary(root, "FastAPI", 0); !ok || l.Version != "0.110.0" || l.Source != "set" {
		t.Errorf("FindLibrary = %+v, %t, want what was set", l, ok)
	}
	if l, _ := FindLibrary(root, "a.b/c", 0); l.Version != "v1.0.0" {
		t.Errorf("FindLibrary = %+v, want what go.mod pins", l)
	}
	time.Sleep(time.Second)
	if l, ok := FindLibrary(root, "fastapi", time.Millisecond); ok {
		t.Errorf("FindLibrary after its time = %+v, want none", l)
	}
	if err := SetLibrary(root, "", "1"); err == nil {
		t.Error("SetLibrary without a name = nil, want an error")
	}
	// A day later it is dropped.
	file := filepath.Join(root, filepath.FromSlash(LibraryFile))
	old := `{"x": {"version": "1", "timestamp": 1000}, "future": {"version": "1", "timestamp": 99999999999}}`
	if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := SetLibraries(root, 0); got != nil {
		t.Errorf("SetLibraries = %v, want none that counts", got)
	}
	if err := os.WriteFile(file, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SetLibrary(root, "y", "2"); err != nil {
		t.Errorf("SetLibrary over a damaged file = %v", err)
	}
}

func TestSetLibraryStaysInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	outside, root := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, ".moai")); err != nil {
		t.Fatal(err)
	}
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
	if err := one.Save("plan", []byte(`{"spec":"A-001"}`), 0); err != nil {
		t.Fatal(err)
	}
	p := one.Load("plan", 0)
	if p == nil || string(p.Data) != `{"spec":"A-001"}` || p.TTL != PhaseTTL {
		t.Fatalf("Load = %+v, want what was saved", p)
	}
	for name, other := range map[string]Phases{"session": two, "project": PhasesOf(dir, "/q", "s1")} {
		if got := other.Load("plan", 0); got != nil {
			t.Errorf("Load from another %s = %+v, want none", name, got)
		}
	}
	if err := one.Save("short", []byte(`1`), time.Millisecond); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond)
	if got := one.Load("short", 0); got != nil {
		t.Errorf("Load after its time = %+v, want none", got)
	}
	if got := one.Load("plan", time.Millisecond); got != nil {
		t.Errorf("Load of something older than asked = %+v, want none", got)
	}
	// The clock was wrong when it was written: neither way of asking gives it.
	if err := state.Write(one.file("late"), Phase{"late", time.Now().Add(time.Hour), PhaseTTL, []byte(`1`)}); err != nil {
		t.Fatal(err)
	}
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
