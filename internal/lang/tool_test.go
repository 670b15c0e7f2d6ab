package lang_test

import (
	"testing"

	"github.com/modu-ai/moai/internal/lang"
)

// TestTestTarget: a Makefile that is tracked is written by hand, and its test target
// runs the tests; check is that of Autotools, or something else altogether (in git
// it is a static analysis).
func TestTestTarget(t *testing.T) {
	for _, c := range []struct{ makefile, want string }{
		{"test: all\ncheck: sparse\n", "make test"},
		{"check: all\n", "make check"},
		{"all:\n", "autoreconf -i && ./configure && make check"},
	} {
		dir := t.TempDir()
		put(t, dir, "a.c", "int main(void) { return 0; }\n")
		put(t, dir, "Makefile", c.makefile)
		put(t, dir, "configure.ac", "AC_INIT([a], [1])\n")
		if test := detect(t, dir, lang.Options{}).Tools.Test; test == nil || test.Command != c.want {
			t.Errorf("Makefile %q: test = %+v, want %s", c.makefile, test, c.want)
		}
	}
}
