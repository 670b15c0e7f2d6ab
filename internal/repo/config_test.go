package repo

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConfigParse(t *testing.T) {
	const text = "; comment\n[core]\n\tbare\n\tfileMode = false # no\n\tname = \"a # b\" ; c\n\tlong = one \\\n  two\n" +
		"[branch \"Main\\\"x\"] remote = origin\n[Section.Sub]\n\tKey=  v  w  \n[a]\nb = \"\\t\\n\\\\\"\nempty =\n"
	want := map[string]string{
		"core.bare": "", "core.filemode": "false", "core.name": "a # b", "core.long": "one   two",
		"branch.Main\"x.remote": "origin", "section.sub.key": "v  w", "a.b": "\t\n\\", "a.empty": "",
	}
	c := &Config{}
	p := configParser{s: text}
	for p.next() {
		c.add(p.key, p.value, p.bare)
	}
	for k, v := range want {
		if got, ok := c.Lookup(k); !ok || got != v {
			t.Errorf("Lookup(%q) = %q, %v, want %q", k, got, ok, v)
		}
	}
	if !c.Bool("core.bare", false) || c.Bool("core.filemode", true) || c.Bool("a.empty", true) || !c.Bool("none", true) {
		t.Error("Bool reads bare keys, false, empty values or defaults wrongly")
	}
}

func TestConfigInt(t *testing.T) {
	c := &Config{}
	for v, want := range map[string]int{"5": 5, "2k": 2048, "1M": 1 << 20, "1g": 1 << 30, "x": 7, "": 7, "-3": -3, "99999999999999999999": 7} {
		c.add("a.b", v, false)
		if got := c.Int("a.b", 7); got != want {
			t.Errorf("Int of %q = %d, want %d", v, got, want)
		}
	}
}

// TestConfigOracle compares with `git config --list` on random files.
func TestConfigOracle(t *testing.T) {
	home := sandbox(t)
	file := filepath.Join(home, "c")
	words := []string{
		"[core]\n", "[a \"b c\"]\n", "[A.B]\n", "[x \"q\\\"\\\\\"]", "key = value\n", "Key\n", "k=\"quoted # not\" # comment\n", "n = a\\\nb\n", "t = \\t\\\"\\\\\\n\n",
		"; c\n", "# c\n", "  sp =  in  side  \n", "e =\n", "\n", "crlf = x\r\n", "bad key = 1\n", "u = 한글\n", "q = a\" b \"c\n", "x-y = 1\n", "z = \"open\n", "w = \\q\n", "[bad\n", "=1\n",
	}
	compared, rounds := 0, envInt("MOAI_ORACLE_ROUNDS", 150)
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		text := words[r.IntN(4)]
		for range r.IntN(7) {
			text += words[r.IntN(len(words))]
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := tryGit(home, "config", "--file", file, "--list", "-z")
		if err != nil {
			continue // a syntax error: git refuses the whole file, we keep what came before
		}
		compared++
		var got strings.Builder
		p := configParser{s: text}
		for p.next() {
			fmt.Fprint(&got, p.key)
			if !p.bare {
				fmt.Fprint(&got, "\n", p.value)
			}
			got.WriteByte(0)
		}
		if got.String() != out {
			t.Fatalf("seed %d: config %q reads as %q, git says %q", seed, text, got.String(), out)
		}
	}
	if compared < rounds/5 {
		t.Errorf("git accepted %d files only", compared)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add("[core]\n\ta = b\n[x \"y\"] z = \"q\\\n\"\n")
	f.Fuzz(func(t *testing.T, s string) {
		p := configParser{s: s}
		n := 0
		for p.next() {
			if n++; n > len(s) {
				t.Fatal("more variables than bytes")
			}
			if p.key == "" || strings.ContainsRune(p.key, '\n') && !strings.Contains(s, "\\\n") {
				t.Errorf("key %q from %q", p.key, s)
			}
		}
	})
}
