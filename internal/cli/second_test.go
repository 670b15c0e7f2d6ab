package cli

import (
	"bytes"
	"strings"
	"testing"
)

// Where moaid is missing, that is one line, and what makes it.
func TestWithoutSecond(t *testing.T) {
	var out, errs bytes.Buffer
	home := t.TempDir()
	code := Run([]string{"stats"}, &env{in: strings.NewReader(""), out: &out, err: &errs, dir: t.TempDir(), getenv: func(name string) string {
		if name == "HOME" || name == "USERPROFILE" {
			return home
		}
		return ""
	}})
	if code != exitNo || !strings.Contains(errs.String(), "needs the program moaid beside this one") || !strings.Contains(errs.String(), "moai: hint: make install") {
		t.Errorf("moai stats = %d, %q", code, errs.String())
	}
}
