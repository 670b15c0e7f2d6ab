package shell

import (
	"strings"
	"testing"
	"time"
)

// TestReadsMakefiles: what make runs of a file, whatever it is told and however the file hides it.
func TestReadsMakefiles(t *testing.T) {
	for _, test := range []struct{ line, file, want string }{
		// What make only prints it does not run, but for what it has to know, and lines that are marked.
		{"make -n", "all:\n\trm /x\n", ""},
		{"make --dry-run clean", "all:\n\techo\nclean:\n\t@rm /x\n", ""},
		{"make -n", "X := $(shell rm /x)\nall:\n\techo\n", "1: /x"},
		{"make -q", "X != rm /x\nall:\n\techo\n", "1: /x"},
		{"make --touch", "$(info $(shell rm /x))\nall:\n\techo\n", "1: /x"},
		{"make --just-print", "ifeq ($(shell rm /x),a)\nendif\nall:\n\techo\n", "1: /x"},
		{"make --recon", "ifdef A\nelse ifeq ($(shell rm /x),a)\nendif\nall:\n\techo\n", "2: /x"},
		{"make --question", "include $(shell rm /x)\nall:\n\techo\n", "1: /x"},
		{"make -n", "all:\n\techo $(shell rm /x)\nother:\n\techo $(shell rm /y)\n", "2: /x"},
		{"make -n", "all:\n\t@+rm /x\n\trm /y\n", "2: /x"},
		{"make -n", "P = +\nall:\n\t$(P)rm /x\n", "3: /x"},
		{"make -n", "all:\n\trm /x; echo $(MAKE)\n\trm /y ${MAKE}\n\trm /z $(MAKER)\n", "2: /x, 3: /y make"},
		{"make -n", "all:\n\t$(MAKE) b\nb:\n\trm /x\n", ""},
		{"make -n", "all:\n\t+make b\nb:\n\trm /x\n\t+rm /y\n", "5: /y"},
		{"make -n", "all:\n\t+env -u MAKEFLAGS make b\nb:\n\trm /x\n", ""}, // what env takes away is not known here
		{"make -n", "include a.mk\nall:\n\trm /y\na.mk:\n\trm /x\n", "5: /x"},
		{"make -n", "-include b.d\nall:\n\trm /y\n%.d: %.c\n\trm /x\n", "5: /x"},
		{"make -n", "X = $(shell rm /x)\nall:\n\techo\n", ""},
		{"make --version; make -h; make -v", "X := $(shell rm /x)\nall:\n\techo\n", ""},
		// Texts of several lines, and functions.
		{"make", "define X\nrm /x\n@-rm /y\nendef\nall:\n\t$(X)\n", "6: /x, 6: /y"},
		{"make -n", "define X\nrm /x\n+rm /y\nendef\nall:\n\t$(X)\n", "6: /y"},
		{"make", "override define X =\ndefine Y\nendef\nrm /x\nendef\nall:\n\t$(X)\n", "7: /x"},
		{"make", "define go\nrm $(1) $2\nendef\nall:\n\t$(call go,/x,/y)\n", "5: /x /y"},
		{"make", "all:\n\t$(if 1,rm /x)\n", "2: /x"},
		{"make", "all:\n\t$(if ,rm /y,rm /x)\n", "2: /x"},
		{"make", "A := $(shell a)\nall:\n\t$(if $(A),@,rm /x;) rm /y\n", "3: /y, 3: /x, 3: /y"},
		{"make", "all:\n\t$(or ,rm /x)\n\t$(and a,rm /y)\n\t$(and ,rm /z)\n", "2: /x, 3: /y"},
		{"make", "all:\n\t$(foreach d,/x /y,rm $d;)\n", "2: /x, 2: /y"},
		{"make", "$(eval all: ; rm /x)\n", "1: /x"},
		{"make clean-b", "define C\nclean-$(1):\n\trm /x/$(1) $$@\nendef\n$(foreach x,a b,$(eval $(call C,$(x))))\n", "5: /x/b clean-b"},
		{"make", "all:\n\t$(subst q,r,qm) $(patsubst %.c,/%.o,a.c) $(notdir a/b) $(firstword $(sort d c)) $(A:%.x=/%.y)\nA = e.x\n", "2: /a.o b c /e.y"},
		{"make", "D := $(dir $(lastword $(MAKEFILE_LIST)))\nall:\n\trm $(D)x $(abspath y)\n", "3: ./x /p/y"},
		{"make", "all:\n\trm $(MAKE_VERSION)/x\n", "2: $(MAKE_VERSION)/x"},
		// What make finds out when it runs: where files are, and what commands print. Whether there are any is not known.
		{"make clean-a", "clean-%:\n\trm $(CURDIR)/$*\n", "2: /p/a"},
		{"make", ".c.o:\n\trm $*\nall: x.o\n", "2: x"},
		{"make", "F := $(shell echo /x; echo /y)\nG != pwd\nall:\n\trm $(F) $(G)/z\n", "4: /x /y /p/z"},
		{"make", "all:\n\trm $(wildcard /a* /b)\n", "2: /a* /b"},
		{"make", "A := $(wildcard /a)\nall:\n\t$(if $(strip $(A)),rm /x,rm /y)\n", "3: /x, 3: /y"},
		{"make", "A := $(shell echo a)\nall:\n\t$(if $(A),rm /x,rm /y)\n", "3: /x, 3: /y"},
		{"make", "all:\n\trm $(filter %.o,$(wildcard *)) $(filter %.o,a.o b.c)\n", "2: $(filter %.o,$(wildcard *)) a.o"},
		{"make", "include mk/c.mk\nall:\n\trm $(D)x\n", "3: mk/x"},
		// How lines are written, and what reads them.
		{"make", ".RECIPEPREFIX = >\nall:\n> rm /x\n", "3: /x"},
		{"make", ".SHELLFLAGS = -c \"rm /x\"; true\nall:\n\techo\n", "3: /x"},
		{"make", ".SHELLFLAGS := -eu -o pipefail -c\nSHELL := /bin/bash\nall:\n\trm /x 'a b'\n", "4: /x a b"},
		{"make", "SHELL = rm\n.SHELLFLAGS = /x\nall:\n\techo\n", "4: /x echo"},
		{"make", ".ONESHELL:\nall:\n\tcd /q\n\trm x\n", "4: x"},
		{"make", ".ONESHELL:\nSHELL = /usr/bin/python3\nall:\n\timport os\n\tos.remove('/x')\n", "4: /x"},
		{"make", "export A = /x\nall:\n\trm $$A\n", "3: /x"},
		{"make", "A = /x\nexport A\nB = /y\nall:\n\trm $$A $$B\n", "5: /x $B"},
		{"make", "A = /x\nexport\nall:\n\trm $${A}\n", "4: /x"},
		{"make", "all: export A = /x\nall: b\n\trm $$A\nb:\n\trm $$A/b\n", "5: /x/b, 3: /x"},
		{"make", "all: A = /x\nall: b\n\trm $(A)\nb:\n\trm $(A)/b\nc:\n\trm $(A)\n", "5: /x/b, 3: /x"},
		{"make c", "D = /d\nall: D = /x\nall:\n\trm $(D)\nc:\n\trm $(D)\n", "6: /d"},
		{"make A=/x", "all:\n\trm $$A\n", "2: /x"},
		{"make", "export BASH_ENV = ./w.sh\nSHELL = /bin/bash\nall:\n\techo\n", "w.sh 1: /w"},
		{"make", "export GIT_SSH_COMMAND = rm /x\nall:\n\tgit fetch\n", "3: /x"},
		// Other makefiles, and rules that make has by itself.
		{"make", "include mk/*.mk\nall:\n\techo\n", "mk/b.mk 1: /x"},
		{"make", "-include $(wildcard mk/*.mk)\nall:\n\techo\n", "mk/b.mk 1: /x"},
		{"make", "CC = rm /x \\#\nall: x.o\n", "1: /x"},
		{"make", ".c.o:\n\trm /x\nall: x.o\n", "2: /x"},
		{"make --eval='X := $(shell rm /x)'", "all:\n\techo\n", "-: /x"},
		{"make --eval 'all: ; rm /x'", "b:\n\techo\n", "-: /x"},
		{"MAKEFLAGS='--eval=all:;rm\\ /x' make", "b:\n\techo\n", "-: /x"},
		{"export MAKEFLAGS=n; make", "all:\n\trm /x\n", ""},
		{"make MAKEFLAGS='--eval=all:;rm\\ /x'", "b:\n\techo\n", "-: /x"},
		{"MAKEFILES=mk/b.mk make", "all:\n\techo\n", "mk/b.mk 1: /x"},
		{"printf 'define X\\nrm /x\\nendef\\nall:\\n\\t$(X)\\n' > m; make -f m", "", "-: /x"},
		{"printf 'all:\\n\\trm /x\\n' > m; make -n -f m", "", ""},
	} {
		files := map[string]string{"Makefile": test.file, "mk/b.mk": "X := $(shell rm /x)\n", "a.mk": "A = 1\n", "mk/c.mk": "D := $(dir $(lastword $(MAKEFILE_LIST)))\n", "w.sh": "rm /w\n"}
		r := Parse(test.line, Options{
			Dir: "/p", Root: "/p", Home: "/home/me", Tables: tables,
			Source: func(path string) (string, bool) {
				text, ok := files[strings.TrimPrefix(path, "/p/")]
				return text, ok && text != ""
			},
			Fitting: func(pattern string) []string {
				if pattern == "/p/mk/*.mk" {
					return []string{"/p/mk/b.mk"}
				}
				return nil
			},
		})
		if got := removals(r); got != test.want {
			t.Errorf("%s of %q: %q, want %q", test.line, test.file, got, test.want)
		}
		for _, d := range r.Incomplete {
			t.Errorf("%s of %q: %v", test.line, test.file, d)
		}
	}
}

// removals lists what rm is called on, as "file line: operands", without the name of the Makefile and without a line for what stands in a call.
func removals(r *Result) string {
	var list []string
	for i := range r.Commands {
		c := &r.Commands[i]
		if c.Name != "rm" && c.Name != "os.remove" {
			continue
		}
		var words []string
		for _, w := range c.Args[1:] {
			if !strings.HasPrefix(w.Text, "-") {
				words = append(words, w.Text)
			}
		}
		where := "-"
		if at, line, ok := r.At(c.Span); ok {
			where = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(at.Path, "/p/"), "Makefile")+" ") + " " + itoa(line)
		}
		list = append(list, strings.TrimSpace(where)+": "+strings.Join(words, " "))
	}
	return strings.Join(list, ", ")
}

// TestMakefilesAreBounded: a text that grows by itself, or reads itself, has an end.
func TestMakefilesAreBounded(t *testing.T) {
	double := "A0 := " + strings.Repeat("x ", 5000) + "\n"
	for i := range 60 {
		a, b := "A"+itoa(i), "A"+itoa(i+1)
		double += b + " := $(" + a + ")$(" + a + ")\n"
	}
	for name, file := range map[string]string{
		"doubled":   double + "all:\n\techo $(A60) $(words $(A60)) $(A60:x=yy)\n",
		"subst":     "A := " + strings.Repeat("x", 20000) + "\nall:\n\techo $(subst x,$(A),$(subst x,$(A),$(A)))\n",
		"foreach":   "L := " + strings.Repeat("x ", 5000) + "\nall:\n\techo $(foreach a,$(L),$(foreach b,$(L),$(foreach c,$(L),$(a)$(b)$(c))))\n",
		"call":      "f = $(call f,$(1)$(1))$(call f,$(1)$(1))\nall:\n\techo $(call f,x)\n",
		"eval":      "define f\n$(eval $(f))$(eval $(f))\nendef\n$(f)\n",
		"rules":     "define f\n$(1)$(1): ; echo $$(call f,$(1))\nendef\n" + strings.Repeat("$(eval $(call f,a))\n", 3000),
		"if":        "A := $(shell a)\nall:\n" + strings.Repeat("\techo "+strings.Repeat("$(if $(A),a,b)", 50)+"\n", 200),
		"nested":    "A := $(shell a)\nall:\n\techo " + strings.Repeat("$(if $(A),", 3000) + strings.Repeat(")", 3000) + "\n",
		"exports":   "export\n" + strings.Repeat("A", 10) + " = $(" + strings.Repeat("A", 10) + ")\n" + numbered(1500, "V# = $(shell a)\n") + "all:\n" + strings.Repeat("\techo\n", 250),
		"targets":   numbered(1500, "t#: export V# = x\nt#: t#x\n\techo\n") + "all: " + numbered(1500, "t# "),
		"patterns":  numbered(1500, "%#: V# = x\n") + "all: " + numbered(1500, "t# ") + "\n",
		"includes":  strings.Repeat("include *.mk\n", 2000) + "all:\n\techo\n",
		"prefix":    strings.Repeat(".RECIPEPREFIX = a\n", 3000),
		"define":    strings.Repeat("define a\n", 8000),
		"shells":    "SHELL = $(shell a)\n.SHELLFLAGS = $(SHELL)$(SHELL)\n" + strings.Repeat("X := $(shell a)\n", 3000) + "all:\n\techo\n",
		"recursive": "A = $(B)$(B)\nB = $(A)$(A)\nexport A B\nall:\n\techo $(A)\n",
	} {
		for _, line := range []string{"make", "make -n"} {
			begin := time.Now()
			r := Parse(line, Options{
				Dir: "/p", Root: "/p", Tables: tables, Limits: Limits{Work: 20_000},
				Source:  func(path string) (string, bool) { return file[:min(len(file), 64<<10)], true },
				Fitting: func(string) []string { return []string{"/p/Makefile", "/p/a.mk"} },
			})
			if took := time.Since(begin); took > 2*time.Second {
				t.Errorf("%s of %s took %v", line, name, took)
			}
			if len(r.Text) > 16<<20 {
				t.Errorf("%s of %s: a text of %d bytes", line, name, len(r.Text))
			}
		}
	}
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// numbered repeats a text with a number for each #.
func numbered(n int, s string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(s, "#", itoa(i)))
	}
	return b.String()
}
