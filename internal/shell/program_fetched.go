package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Programs come by other names than their own: by that of the package which brings them, and by an address from which they are fetched.

// same is a call of a program under another of its names as one of that program, nil where it has none: docker-compose up, npx @sentry/cli@2.
func (e *engine) same(name string, x *simple) *simple {
	w := &x.args[0]
	if scoped := w.Kind == Literal && strings.HasPrefix(w.Text, "@"); scoped {
		name = w.Text
		if i := strings.LastIndexByte(name, '@'); i > 0 {
			name = name[:i]
		}
	}
	for i := range e.tables.Same {
		if row := &e.tables.Same[i]; slices.Contains(row.Names, name) {
			y := *x
			y.args = nil
			for word := range strings.FieldsSeq(row.As) {
				y.args = append(y.args, lit(word, w.Span))
			}
			y.args = append(y.args, x.args[1:]...)
			return &y
		}
	}
	return nil
}

// runsFirst follows the file or the package that is the argument at i.
func (e *engine) runsFirst(in *rule.Interpreter, name string, i int, x *simple, c *ctx) output {
	file := &x.args[i]
	if y := fetched(in, x.rest(i)); y != nil {
		e.emit(c, x)
		return e.run(y, c.step(name, x.args[0].Span))
	}
	e.brings(e.tables.Program(e.program(file)).Brings, x.rest(i), c) // php artisan NAME
	if out, ok := e.runsModule(in, file, x, c); ok {
		return out
	}
	x.code = &Code{Lang: in.Lang, From: FromFile, Text: *file, File: *file}
	return e.plainRun(name, x, c)
}

// fetched is the program of a package that an interpreter fetches and runs, nil where the first word names none: deno run npm:rimraf x,
// go run example.com/tool/v2@latest x.
func fetched(in *rule.Interpreter, x *simple) *simple {
	w := &x.args[0]
	for _, mark := range in.Fetched {
		program, begins := strings.CutPrefix(w.Text, mark)
		if module, _, versioned := strings.Cut(w.Text, "@"); mark == "@" {
			begins = versioned && module != ""
			if last := path.Base(module); len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
				module = path.Dir(module)
			}
			program = path.Base(module)
		}
		if begins && w.Kind == Literal {
			x.args = append([]Word{lit(program, w.Span)}, x.args[1:]...)
			return x
		}
	}
	return nil
}
