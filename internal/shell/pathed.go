package shell

import "strings"

// A line that puts a folder of the project in front of PATH runs what lies there by the names of other programs.

// pathVariable is the list of folders in which a shell looks for programs.
const pathVariable = "PATH"

// pathed follows the file that a bare name stands for, in the folders that the line itself puts first. The program of that name is judged
// as well: nobody looks whether the file may be run.
func (e *engine) pathed(name string, x *simple, c *ctx) {
	list := c.pathList(x)
	w := &x.args[0]
	if list == nil || w.Kind != Literal || strings.ContainsAny(w.Text, `/\`) {
		return
	}
	dirs := strings.Split(list.Prefix(), ":")
	if list.Kind != Literal { // what follows may belong to the last one
		dirs = dirs[:len(dirs)-1]
	}
	for _, dir := range dirs[:min(len(dirs), maxPassed)] {
		if dir == "" {
			dir = "."
		}
		file := lit(strings.TrimSuffix(dir, "/")+"/"+name, w.Span)
		text, n, ok := e.textOf(&file, "", c)
		if !ok {
			continue
		}
		y, m := *x, *n
		y.args = append([]Word{file}, x.args[1:]...)
		m.cond = true
		e.runsWritten(&y, text, &m)
		return
	}
}

// pathList is what the line sets PATH to for a command; nil where it does not.
func (c *ctx) pathList(x *simple) *Word {
	for i := len(x.assigns) - 1; i >= 0; i-- {
		if x.assigns[i].Name == pathVariable {
			return &x.assigns[i].Value
		}
	}
	if v := c.st.find(pathVariable); v != nil && !v.unset && len(v.alts) > 0 && len(v.alts[0].list) == 1 {
		return &v.alts[0].list[0]
	}
	return nil
}
