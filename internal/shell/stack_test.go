package shell

import (
	"runtime/debug"
	"strings"
	"testing"
)

// nests are what the grammar of shells lets stand in itself, each as it opens.
func nests() []string {
	return []string{
		"$(", "(", "{ ", "`", "`\\`", "\"`", "\"$(", "<(", ">(", "((", "$((", "$[", "[[ (", "[[ ! ", "[[ a && ", "[[ a =~ (", "${a:-", "\"${a:-", "${a[", "${a:", "a=(", "a[", "@(",
		"if ", "if a; then ", "if a; then b; else ", "if a; then b; elif ", "while ", "while a; do ", "until a; do ", "for i in a; do ", "for ((;;)) { ", "select x in a; do ",
		"case x in a) ", "case $(", "f() ", "f() { ", "function f ", "function f { ", "time ", "coproc ", "! ", "a && ", "a | ", "a |& ", "let -", "echo $((-", "echo $((a ? ",
		"((a = ", "((! ", "<<E $(", "<<E\n$(", "$'", "a=<(", "=(", "() { ",
	}
}

// TestStack asserts that no line makes the parser, or what follows the line, need much stack: the parser goes down by
// calls and has no bound of its own, and a stack that is too large ends the whole process, past every recover. The
// text is cut before it is parsed (nesting), and priced (afford).
func TestStack(t *testing.T) {
	const mostStack = 4 << 20                             // stacks grow by doubling: half is not enough
	defer debug.SetMaxStack(debug.SetMaxStack(mostStack)) // one that needs more ends the test with a fatal error
	for _, s := range nests() {
		for _, size := range []int{2 << 10, 16 << 10, defaultBytes} {
			line := "shred x; " + strings.Repeat(s, size/len(s))
			for d := range Dialect(3) {
				done := make(chan *Result)
				go func() { done <- Parse(line, Options{Tables: tables, Dir: "/p", Home: "/h", Dialect: d}) }() // on a stack of its own
				if r := <-done; (len(r.Commands) == 0 || r.Commands[0].Name != "shred") && len(r.Incomplete) == 0 {
					t.Errorf("Parse(%.30q…, dialect %d) neither knows what stands before the nest nor says so: %v", line, d, show(r))
				}
			}
		}
	}
}
