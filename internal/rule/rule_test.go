package rule

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"
)

func TestDecode(t *testing.T) {
	type doc struct {
		Rule []struct {
			ID   string `toml:"id"`
			Hits []string
		} `toml:"rule"`
	}
	tests := []struct{ name, in, want string }{
		{"good", "[[rule]]\nid = \"a.b\"\n", ""},
		{"byte order mark", "\ufeff[[rule]]\r\nid = \"a.b\"\r\n", ""},
		{"unknown key behind a mark", "\ufeff[[rule]]\nwhi = \"x\"\n", `rules/x.toml:2: unknown key "rule.whi"`},
		{"unknown key", "[[rule]]\nid = \"a.b\"\nwhi = \"x\"\n", `rules/x.toml:3: unknown key "rule.whi"`},
		{"two unknown keys", "a = 1\nb = 2\n", "rules/x.toml:1: unknown key \"a\"\nrules/x.toml:2: unknown key \"b\""},
		{"syntax", "[[rule]]\nid = \n", "rules/x.toml:2: incomplete number"},
		{"wrong type", "[[rule]]\nid = \"a\"\nhits = 3\n", "rules/x.toml:3: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var v doc
			err := Decode("rules/x.toml", []byte(tt.in), &v)
			got := ""
			if err != nil {
				got = err.Error()
				var p *Problem
				if !errors.As(err, &p) {
					t.Errorf("Decode error %v holds no *Problem", err)
				}
			}
			if tt.name == "wrong type" || tt.name == "syntax" {
				// The decoder's own words may change; the place may not.
				if len(got) < len("rules/x.toml:2: ") || got[:len("rules/x.toml:2")] != tt.want[:len("rules/x.toml:2")] {
					t.Errorf("Decode(%q) = %q, want it to begin like %q", tt.in, got, tt.want)
				}
				return
			}
			if got != tt.want {
				t.Errorf("Decode(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	in := "# [[rule]] in a comment\n[[rule]]\nid = 1\n\n  [[ rule ]] # two\n[[allow]]\n[rule]\n"
	if got, want := Headers([]byte(in), "rule"), []int{2, 5}; !slices.Equal(got, want) {
		t.Errorf("Headers = %v, want %v", got, want)
	}
}

// Editors on Windows put a mark in front of the first header.
func TestHeadersBehindAMark(t *testing.T) {
	if got, want := Headers([]byte("\ufeff[[rule]]\r\n[[rule]]\r\n"), "rule"), []int{1, 2}; !slices.Equal(got, want) {
		t.Errorf("Headers = %v, want %v", got, want)
	}
}

func TestFilesEmptyFamily(t *testing.T) {
	if _, err := Files(fstest.MapFS{}, "risks"); err == nil || err.Error() != "rules/risks: no rule files here" {
		t.Errorf("Files of nothing = %v, want a problem", err)
	}
}
