package lang

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// AppendJSON appends the report as encoding/json would write it, indented by two
// spaces. It is written out by hand since learning the types by reflection costs
// a repeated question a third of its time.
func (r *Report) AppendJSON(b []byte) []byte {
	j := &jsonText{b: b}
	j.object(func() {
		j.text("dir", r.Dir)
		j.primary(r.Primary)
		jsonList(j, "languages", r.Languages, func(l *Language) {
			j.object(func() {
				j.text("id", l.ID)
				j.text("name", l.Name)
				j.text("kind", l.Kind)
				j.real("share", l.Share)
				j.number("bytes", l.Bytes)
				j.number("files", int64(l.Files))
				j.text("version", l.Version)
				j.given("version_kind", l.VersionKind)
				j.given("version_source", l.VersionSource)
				if len(l.Evidence) > 0 {
					j.texts("evidence", l.Evidence)
				}
			})
		})
		jsonList(j, "projects", r.Projects, func(p *Project) {
			j.object(func() {
				j.text("path", p.Path)
				j.text("manifest", p.Manifest)
				j.primary(p.Primary)
				j.number("files", int64(p.Files))
				j.number("bytes", p.Bytes)
				j.tools(&p.Tools)
			})
		})
		j.number("project_count", int64(r.ProjectCount))
		j.tools(&r.Tools)
		j.text("source", r.Source)
		j.key("scan")
		j.object(func() {
			j.number("files", int64(r.Scan.Files))
			j.number("counted", int64(r.Scan.Counted))
			j.number("opened", int64(r.Scan.Opened))
			j.number("bytes", r.Scan.Bytes)
			j.flag("cached", r.Scan.Cached)
			j.flag("partial", r.Scan.Partial)
		})
		j.texts("notes", r.Notes)
	})
	return append(j.b, '\n')
}

// jsonText is JSON on its way.
type jsonText struct {
	b     []byte
	depth int
	more  bool // something stands before in the object or list
}

// line begins a line, indented by the depth.
func (j *jsonText) line() {
	j.b = append(j.b, '\n')
	for range j.depth {
		j.b = append(j.b, "  "...)
	}
}

// within writes what is in braces or brackets, which stay on one line when empty.
func (j *jsonText) within(open, end byte, fill func()) {
	j.b = append(j.b, open)
	j.depth++
	j.more = false
	fill()
	j.depth--
	if j.more {
		j.line()
	}
	j.b = append(j.b, end)
	j.more = true
}

func (j *jsonText) object(fill func()) { j.within('{', '}', fill) }

// next begins an element.
func (j *jsonText) next() {
	if j.more {
		j.b = append(j.b, ',')
	}
	j.line()
	j.more = true
}

// key begins a field; the comma before it is written by whoever comes second.
func (j *jsonText) key(name string) {
	j.next()
	j.b = append(j.b, '"')
	j.b = append(j.b, name...)
	j.b = append(j.b, `": `...)
}

// quote leaves the rare string with something to escape to encoding/json, whose
// rules for what is no UTF-8 are then ours too.
func (j *jsonText) quote(s string) {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			var q bytes.Buffer
			enc := json.NewEncoder(&q)
			enc.SetEscapeHTML(false) // ">=3.10" is to be read by people too
			_ = enc.Encode(s)        // no string fails
			j.b = append(j.b, bytes.TrimSuffix(q.Bytes(), []byte("\n"))...)
			return
		}
	}
	j.b = append(j.b, '"')
	j.b = append(j.b, s...)
	j.b = append(j.b, '"')
}

// text, and those like it, write one field; the order is that of the calls.
func (j *jsonText) text(name, s string) {
	j.key(name)
	j.quote(s)
}

// given is text that is left out when empty.
func (j *jsonText) given(name, s string) {
	if s != "" {
		j.text(name, s)
	}
}

func (j *jsonText) number(name string, n int64) {
	j.key(name)
	j.b = strconv.AppendInt(j.b, n, 10)
}

// real writes a float as encoding/json does for the sizes that shares have.
func (j *jsonText) real(name string, f float64) {
	j.key(name)
	if f == 0 || f >= 1e-6 && f < 1e15 { // every share and confidence
		j.b = strconv.AppendFloat(j.b, f, 'f', -1, 64)
		return
	}
	q, err := json.Marshal(f)
	if err != nil {
		q = []byte("0")
	}
	j.b = append(j.b, q...)
}

func (j *jsonText) flag(name string, v bool) {
	j.key(name)
	j.b = strconv.AppendBool(j.b, v)
}

// jsonList writes null for nil, as encoding/json does.
func jsonList[T any](j *jsonText, name string, list []T, each func(*T)) {
	j.key(name)
	if list == nil {
		j.b = append(j.b, "null"...)
		return
	}
	j.within('[', ']', func() {
		for i := range list {
			j.next()
			each(&list[i])
		}
	})
}

func (j *jsonText) texts(name string, list []string) {
	jsonList(j, name, list, func(s *string) { j.quote(*s) })
}

// primary is null where no language may be named: readers test for that.
func (j *jsonText) primary(p *Primary) {
	j.key("primary")
	if p == nil {
		j.b = append(j.b, "null"...)
		return
	}
	j.object(func() {
		j.text("id", p.ID)
		j.text("name", p.Name)
		j.text("version", p.Version)
		j.text("version_kind", p.VersionKind)
		j.text("version_source", p.VersionSource)
		j.real("confidence", p.Confidence)
		j.texts("evidence", p.Evidence)
	})
}

// tools has null for what no file speaks for: nothing is to be guessed from it.
func (j *jsonText) tools(t *Tools) {
	j.key("tools")
	j.object(func() {
		j.tool("package_manager", t.Manager)
		j.tool("formatter", t.Formatter)
		j.tool("linter", t.Linter)
		j.tool("test", t.Test)
		j.tool("build", t.Build)
		jsonList(j, "frameworks", t.Frameworks, func(n *Named) {
			j.object(func() {
				j.text("name", n.Name)
				j.text("because", n.Because)
			})
		})
	})
}

func (j *jsonText) tool(name string, t *Tool) {
	j.key(name)
	if t == nil {
		j.b = append(j.b, "null"...)
		return
	}
	j.object(func() {
		j.text("name", t.Name)
		j.text("command", t.Command)
		j.given("file", t.File)
		j.text("because", t.Because)
	})
}
