// Command trees judges moai detect on real source trees: its primary language
// against what was looked up elsewhere (trees.tsv), and its shares against the
// whole of Linguist as go-enry has it, contents and .gitattributes included.
//
// It is a module of its own, since go-enry must never come near the binary.
//
//	sh fetch.sh DIR && go run . -moai MOAI DIR
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2"
	"github.com/go-enry/go-enry/v2/data"
)

//go:embed trees.tsv
var expected string

// answer is what is read of moai detect --json.
type answer struct {
	Primary *struct {
		ID      string
		Version string
		Source  string `json:"version_source"`
	}
	Languages []struct {
		Name  string
		Share float64
	}
	Scan struct{ Files, Opened int }
}

// score adds up over all trees.
type score struct {
	trees, right             int
	explained                int // differs, and trees.tsv says why
	like                     int // as Linguist's largest programming language
	distance                 float64
	both, onlyThey, onlyMoai int // languages of 5 % and more
	files, opened            int
}

func main() {
	moai := flag.String("moai", "moai", "the binary to judge")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: trees -moai MOAI DIR")
		os.Exit(2)
	}
	var s score
	var missed []string
	for line := range strings.Lines(expected) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) < 3 {
			continue
		}
		dir := filepath.Join(flag.Arg(0), strings.NewReplacer(":", "_", "/", "_").Replace(f[0])) // as fetch.sh names it
		if _, err := os.Stat(dir); err != nil {
			continue // not on this mirror
		}
		got, theirs, err := s.tree(*moai, dir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "trees: %s: %v\n", f[0], err)
			os.Exit(1)
		}
		s.trees++
		if got == theirs {
			s.like++
		}
		if got == f[1] {
			s.right++
		}
		if got != theirs && got == f[1] {
			missed = append(missed, fmt.Sprintf("(%s is %s, moai says so, Linguist %s)", f[0], f[1], theirs))
		}
		if got != f[1] {
			why := "unexplained"
			if len(f) > 3 {
				why = f[3]
				s.explained++
			}
			missed = append(missed, fmt.Sprintf("%s is %s, moai says %s, Linguist %s: %s", f[0], f[1], got, theirs, why))
		}
	}
	fmt.Printf("\n%d trees: primary right in %d (%.1f %%), Linguist's in %d (%.1f %%), mean distance of shares %.4f, F1 of languages from 5 %% on %.4f, opened %.2f %% of %d files\n",
		s.trees, s.right, 100*float64(s.right)/float64(s.trees), s.like, 100*float64(s.like)/float64(s.trees), s.distance/float64(s.trees),
		2*float64(s.both)/float64(2*s.both+s.onlyThey+s.onlyMoai), 100*float64(s.opened)/float64(s.files), s.files)
	for _, m := range missed {
		fmt.Println("missed:", m)
	}
	if s.trees < 60 || float64(s.right) < 0.98*float64(s.trees-s.explained) {
		os.Exit(1)
	}
}

// tree compares one tree and returns moai's primary language and Linguist's, "none" for none.
func (s *score) tree(moai, dir string) (primary, top string, err error) {
	theirs, err := linguist(dir)
	if err != nil {
		return "", "", err
	}
	c := exec.Command(moai, "detect", "--json", "--fresh", dir)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return "", "", fmt.Errorf("moai detect: %w", err)
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return "", "", fmt.Errorf("moai detect: %w", err)
	}
	mine := map[string]float64{}
	for _, l := range a.Languages {
		if l.Share > 0 {
			mine[l.Name] = l.Share
		}
	}
	names := map[string]bool{}
	for n := range theirs {
		names[n] = true
	}
	for n := range mine {
		names[n] = true
	}
	distance := 0.0
	var apart []string
	for n := range names {
		distance += math.Abs(theirs[n]-mine[n]) / 2
		switch they, me := theirs[n] >= 0.05, mine[n] >= 0.05; {
		case they && me:
			s.both++
		case they:
			s.onlyThey++
		case me:
			s.onlyMoai++
		}
		if math.Abs(theirs[n]-mine[n]) > 0.01 {
			apart = append(apart, fmt.Sprintf("%s %.3f/%.3f", n, theirs[n], mine[n]))
		}
	}
	slices.Sort(apart)
	s.distance += distance
	s.files += a.Scan.Files
	s.opened += a.Scan.Opened
	primary = "none"
	version := ""
	if a.Primary != nil {
		primary, version = a.Primary.ID, a.Primary.Version
		if version != "" {
			version += " (" + a.Primary.Source + ")"
		}
	}
	fmt.Printf("%-36s %-11s %.4f  %5d/%-6d %-40s %s\n", filepath.Base(dir), primary, distance, a.Scan.Opened, a.Scan.Files, version, strings.Join(apart, ", "))
	return primary, largest(theirs), nil
}

// named are the languages that may be a project's primary one, as Linguist calls them.
var named = map[string]string{
	"C": "c", "C#": "csharp", "C++": "cpp", "Clojure": "clojure", "Dart": "dart", "Elixir": "elixir", "Go": "go", "Haskell": "haskell", "Java": "java",
	"JavaScript": "javascript", "Julia": "julia", "Kotlin": "kotlin", "Lua": "lua", "PHP": "php", "Python": "python", "R": "r", "Ruby": "ruby",
	"Rust": "rust", "Scala": "scala", "Shell": "shell", "Swift": "swift", "TypeScript": "typescript",
}

// largest is the id of the programming language with the largest share, notebooks
// taken for Python; "none" when it is not one of the named ones.
func largest(shares map[string]float64) string {
	top, most := "", 0.0
	for lang, share := range shares {
		if lang == "Python" {
			share += shares["Jupyter Notebook"]
		}
		if enry.GetLanguageType(lang) == enry.Programming && share > most {
			top, most = lang, share
		}
	}
	return cmp.Or(named[top], "none")
}

// linguist computes the shares that GitHub would show: every tracked file read,
// attributes applied, groups folded.
func linguist(dir string) (map[string]float64, error) {
	out, err := exec.Command("git", "-C", dir, "ls-files", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	attributes, err := checkAttr(dir, out)
	if err != nil {
		return nil, err
	}
	bytesOf := map[string]int64{}
	var total int64
	for file := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		lang, size := classify(dir, file, attributes[file])
		if lang == "" {
			continue
		}
		bytesOf[cmp.Or(data.LanguagesGroup[lang], lang)] += size
		total += size
	}
	shares := map[string]float64{}
	for lang, n := range bytesOf {
		shares[lang] = float64(n) / float64(max(1, total))
	}
	return shares, nil
}

// classify is one file's language, "" when it does not count.
func classify(dir, file string, attr map[string]string) (string, int64) {
	path := filepath.Join(dir, file)
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 {
		return "", 0
	}
	is := func(name string, otherwise bool) bool {
		switch attr["linguist-"+name] {
		case "set", "true":
			return true
		case "unset", "false":
			return false
		}
		return otherwise
	}
	if is("vendored", enry.IsVendor(file)) || is("documentation", enry.IsDocumentation(file)) {
		return "", 0
	}
	content, err := head(path)
	if err != nil {
		return "", 0
	}
	lang := attr["linguist-language"]
	if known, ok := enry.GetLanguageByAlias(lang); ok {
		lang = known
	} else if enry.IsBinary(content) {
		return "", 0
	} else {
		lang = enry.GetLanguage(file, content)
	}
	if lang == "" || is("generated", enry.IsGenerated(file, content)) {
		return "", 0
	}
	kind := enry.GetLanguageType(lang)
	if !is("detectable", kind == enry.Programming || kind == enry.Markup) {
		return "", 0
	}
	return lang, fi.Size()
}

// head is as much of a file as Linguist reads.
func head(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 128<<10))
}

func checkAttr(dir string, paths []byte) (map[string]map[string]string, error) {
	c := exec.Command("git", "-C", dir, "check-attr", "-z", "--stdin", "linguist-language", "linguist-vendored", "linguist-generated", "linguist-documentation", "linguist-detectable")
	c.Stdin = bytes.NewReader(paths)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("git check-attr: %w", err)
	}
	p := strings.Split(string(out), "\x00")
	m := map[string]map[string]string{}
	for i := 0; i+2 < len(p); i += 3 {
		if p[i+2] == "unspecified" {
			continue
		}
		if m[p[i]] == nil {
			m[p[i]] = map[string]string{}
		}
		m[p[i]][p[i+1]] = p[i+2]
	}
	return m, nil
}
