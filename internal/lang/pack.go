package lang

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// pack writes or reads the compact form in which answers are kept, or writes them
// as JSON: the same calls, in the same order, do all three, so that they cannot
// part. To read JSON would cost a repeated question more than all the rest of it.
type pack struct {
	out     []byte
	in      string
	reading bool
	bad     bool      // the input ended, or is not what was written
	json    *jsonText // where the answer is to be JSON; names of fields are for that alone
}

// num is the one place where bytes are taken: a bad length ends everything after it,
// so the others need no check of their own.
func (p *pack) num(name string, v *int64) {
	if p.json != nil {
		p.json.number(name, *v)
		return
	}
	if !p.reading {
		p.out = binary.AppendVarint(p.out, *v)
		return
	}
	x, n := binary.Varint(unsafe.Slice(unsafe.StringData(p.in), min(len(p.in), binary.MaxVarintLen64)))
	if n <= 0 {
		p.bad, p.in = true, ""
		return
	}
	*v, p.in = x, p.in[n:]
}

// size is num for an int.
func (p *pack) size(name string, v *int) {
	x := int64(*v)
	p.num(name, &x)
	*v = int(x)
}

// flag costs a byte; there are too few of them for bits.
func (p *pack) flag(name string, v *bool) {
	if p.json != nil {
		p.json.flag(name, *v)
		return
	}
	x := 0
	if *v {
		x = 1
	}
	p.size(name, &x)
	*v = x == 1
}

// real keeps the bits, so that an answer read back prints the same digits.
func (p *pack) real(name string, v *float64) {
	if p.json != nil {
		p.json.real(name, *v)
		return
	}
	x := int64(math.Float64bits(*v))
	p.num(name, &x)
	*v = math.Float64frombits(uint64(x))
}

// text is a field that is a string.
func (p *pack) text(name string, v *string) {
	p.key(name)
	p.element(v)
}

// given is text that JSON leaves out when it is empty.
func (p *pack) given(name string, v *string) {
	if p.json == nil || *v != "" {
		p.text(name, v)
	}
}

// element reads a string as a view of the input.
func (p *pack) element(v *string) {
	if p.json != nil {
		p.json.quote(*v)
		return
	}
	n := len(*v)
	p.size("", &n)
	switch {
	case !p.reading:
		p.out = append(p.out, *v...)
	case n < 0 || n > len(p.in):
		p.bad = true
	default:
		*v, p.in = p.in[:n], p.in[n:]
	}
}

// key, begin and end are about JSON alone.
func (p *pack) key(name string) {
	if p.json != nil {
		p.json.key(name)
	}
}

func (p *pack) begin() {
	if p.json != nil {
		p.json.begin('{')
	}
}

func (p *pack) end() {
	if p.json != nil {
		p.json.end('}')
	}
}

// list handles a slice; nil and empty are different in JSON.
func list[T any](p *pack, name string, v *[]T, each func(*T)) {
	if p.json != nil {
		jsonList(p.json, name, *v, each)
		return
	}
	n := len(*v) + 1
	if *v == nil {
		n = 0
	}
	p.size(name, &n)
	if p.reading {
		// Every element takes a byte at least.
		if p.bad || n < 0 || n-1 > len(p.in) {
			p.bad = true
			return
		}
		*v = nil
		if n > 0 {
			*v = make([]T, n-1)
		}
	}
	for i := range *v {
		each(&(*v)[i])
	}
}

// maybe handles a pointer that may be nil, which is null: readers test for that.
func maybe[T any](p *pack, name string, v **T, each func(*T)) {
	has := *v != nil
	if p.json != nil {
		p.json.key(name)
		if !has {
			p.json.null()
		}
	} else {
		p.flag(name, &has)
	}
	if !has || p.bad {
		return
	}
	if p.reading {
		*v = new(T)
	}
	each(*v)
}

func (p *pack) texts(name string, v *[]string) { list(p, name, v, p.element) }

// report and those below name every field once. Whoever adds one raises form, or
// the answers that are kept on people's machines are read wrongly.
func (p *pack) report(r *Report) {
	p.begin()
	p.text("dir", &r.Dir)
	maybe(p, "primary", &r.Primary, p.primary)
	p.text("kind", &r.Kind)
	p.text("ecosystem", &r.Ecosystem)
	p.given("ecosystem_version", &r.EcosystemVersion)
	p.given("ecosystem_version_kind", &r.EcosystemVersionKind)
	p.given("ecosystem_version_source", &r.EcosystemVersionSource)
	list(p, "languages", &r.Languages, p.language)
	list(p, "projects", &r.Projects, p.project)
	list(p, "facts", &r.Facts, p.fact)
	p.size("project_count", &r.ProjectCount)
	p.tools("tools", &r.Tools)
	p.text("source", &r.Source)
	p.key("scan")
	p.begin()
	p.size("files", &r.Scan.Files)
	p.size("counted", &r.Scan.Counted)
	p.size("opened", &r.Scan.Opened)
	p.num("bytes", &r.Scan.Bytes)
	p.flag("cached", &r.Scan.Cached)
	p.flag("partial", &r.Scan.Partial)
	p.end()
	p.texts("notes", &r.Notes)
	p.end()
}

func (p *pack) primary(v *Primary) {
	p.begin()
	p.text("id", &v.ID)
	p.text("name", &v.Name)
	p.text("version", &v.Version)
	p.text("version_kind", &v.VersionKind)
	p.text("version_source", &v.VersionSource)
	p.real("confidence", &v.Confidence)
	p.texts("evidence", &v.Evidence)
	p.end()
}

func (p *pack) language(v *Language) {
	p.begin()
	p.text("id", &v.ID)
	p.text("name", &v.Name)
	p.text("kind", &v.Kind)
	p.real("share", &v.Share)
	p.num("bytes", &v.Bytes)
	p.size("files", &v.Files)
	p.text("version", &v.Version)
	p.given("version_kind", &v.VersionKind)
	p.given("version_source", &v.VersionSource)
	if p.json == nil || len(v.Evidence) > 0 {
		p.texts("evidence", &v.Evidence)
	}
	p.end()
}

func (p *pack) project(v *Project) {
	p.begin()
	p.text("path", &v.Path)
	p.text("manifest", &v.Manifest)
	maybe(p, "primary", &v.Primary, p.primary)
	p.given("ecosystem", &v.System)
	p.size("files", &v.Files)
	p.num("bytes", &v.Bytes)
	p.tools("tools", &v.Tools)
	p.end()
}

// tools has null for what no file speaks for: nothing is to be guessed from it.
func (p *pack) tools(name string, v *Tools) {
	p.key(name)
	p.begin()
	maybe(p, "package_manager", &v.Manager, p.tool)
	maybe(p, "formatter", &v.Formatter, p.tool)
	maybe(p, "linter", &v.Linter, p.tool)
	maybe(p, "test", &v.Test, p.tool)
	maybe(p, "build", &v.Build, p.tool)
	maybe(p, "typecheck", &v.Typecheck, p.tool)
	maybe(p, "start", &v.Start, p.tool)
	maybe(p, "dev", &v.Dev, p.tool)
	maybe(p, "install", &v.Install, p.tool)
	maybe(p, "clean", &v.Clean, p.tool)
	maybe(p, "coverage", &v.Coverage, p.tool)
	maybe(p, "migrate", &v.Migrate, p.tool)
	list(p, "frameworks", &v.Frameworks, p.named)
	if p.json == nil || len(v.Beside) > 0 {
		list(p, "packages_beside", &v.Beside, p.tool)
	}
	p.end()
}

func (p *pack) tool(v *Tool) {
	p.begin()
	p.text("name", &v.Name)
	p.text("command", &v.Command)
	p.given("file", &v.File)
	p.given("one", &v.One)
	p.given("lines", &v.Lines)
	p.given("fixes", &v.Fixes)
	p.text("because", &v.Because)
	p.end()
}

func (p *pack) named(v *Named) {
	p.begin()
	p.text("name", &v.Name)
	p.text("because", &v.Because)
	p.end()
}

func (p *pack) fact(v *Fact) {
	p.begin()
	p.text("kind", &v.Kind)
	p.text("name", &v.Name)
	p.text("because", &v.Because)
	p.end()
}
