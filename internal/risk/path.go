package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// locate finds the place of an effect once.
func (c *checker) locate(k *call, e *effect) *Target {
	if e.done {
		return &e.place
	}
	e.done = true
	if !c.spend(min(c.pathPrice(k, e), work.Judgement+1)) {
		e.place = Target{Path: e.text, Class: rule.Unknown}
		return &e.place
	}
	if k.comesHere(e) {
		e.place = Target{Path: e.text}
		return &e.place
	}
	e.place = c.placeOf(k, e)
	if e.kind&(rule.Read|rule.Send) != 0 && e.place.Names&(rule.Secret|rule.Key|rule.SecretDir) == 0 && c.copied(k, e.place.Path) {
		e.place.Names |= rule.Secret // by another name, which the line gave it
	}
	return &e.place
}

// comesHere reports host:path as what a call of the net takes from there: its last operand, where that goes, is of this machine.
func (k *call) comesHere(e *effect) bool {
	if e.kind&(rule.Read|rule.Send) == 0 || e.redirect || k.prog == nil || !k.prog.Network || len(k.operands) < 2 || !remoteOperand(e.text) {
		return false
	}
	last := &k.cmd.Args[k.operands[len(k.operands)-1]]
	return last != e.word && last.Kind == shell.Literal && !remoteOperand(last.Text) && slices.ContainsFunc(k.operands, func(i int) bool { return &k.cmd.Args[i] == e.word })
}

// copiesHere reports a copy by a program that knows other machines by a colon, and is given none.
func (m *match) copiesHere() bool {
	k := m.call
	return m.c.set.In("copies-here-without-colon", k.name) && len(k.operands) > 1 && len(k.cmd.PipeFrom) == 0 && !slices.ContainsFunc(k.operands, func(i int) bool {
		return k.cmd.Args[i].Kind != shell.Literal || remoteOperand(k.cmd.Args[i].Text)
	})
}

// pathPrice is what finding the place of an effect costs. A pattern is compared with all names.
// The folder in front of a name is gone through for each name in it.
func (c *checker) pathPrice(k *call, e *effect) int {
	n := costPlace + max(0, len(e.text)-ordinary)/placeBytes
	if !strings.HasPrefix(e.text, "/") {
		n += max(0, max(len(k.cmd.Dir.Text), len(c.in.Dir))-ordinary) / folderBytes
	}
	if e.glob {
		n += costGlob + 8*max(0, len(e.text)-ordinary)
	}
	return n
}

// outOf reports a folder that a call is in, and that is not of the project.
func (c *checker) outOf(dir string) bool {
	return strings.HasPrefix(dir, "/") && dir != c.in.Root && !lies(dir, c.in.Root)
}

// placeOf says where a path lies. What the line leaves open is Unknown, unless
// the known beginning already decides.
func (c *checker) placeOf(k *call, e *effect) Target {
	text := slashes(e.text, k.cmd.Dialect != shell.Bash || strings.Contains(e.text, `:\`))
	t := Target{Path: text, Names: c.names(text, e.glob)}
	known := e.known
	if !known && e.text == e.word.Text && e.word.Fresh() && !strings.Contains(e.text, "..") {
		t.Class = rule.Temp // made on this line, wherever: it holds nothing of before
		return t
	}
	if !known {
		prefix := e.word.Prefix()
		if len(e.text) != len(e.word.Text) {
			// The path is a piece of the word (of=$X, @file): only its own text counts.
			prefix = ""
		}
		if prefix == "" && e.word.Kind == shell.Unknown && e.word.Listed() && len(e.word.From()) == 0 && k.cmd.Dir.Kind == shell.Literal && c.outOf(k.cmd.Dir.Text) {
			prefix = "./" // os.chdir(d), then what os.listdir(d) returns: a name in the folder where the call is
		}
		// Up to the last whole folder: "/srv/a$X" may be /srv/abc.
		cut := strings.LastIndexByte(prefix, '/')
		if cut < 0 {
			t.Class = rule.Unknown
			return t
		}
		text = slashes(prefix[:cut+1], false)
		if text == "/" || c.set.isHomes(path.Clean(text)) {
			if t.Class = rule.Unknown; e.word.Listed() {
				t.Class |= rule.Outside // what a search finds there may be the project's, but hardly all of it is
			}
			return t
		}
	}
	// Still there after expansion: another user's home, which is not looked up.
	if e.word.Tilde && strings.HasPrefix(text, "~") {
		t.Class = tildeClass(text)
		return t
	}
	// PowerShell and cmd leave wildcards to the program, quoted or not.
	if e.glob || strings.ContainsAny(text, "*?[") && (!e.word.Quoted || k.cmd.Dialect != shell.Bash) {
		var all bool
		if whole, ok := c.absolute(k, text); ok && e.glob {
			t.Pattern = whole
		}
		text, all = c.globBase(text)
		if !all && e.glob {
			t = c.globbed(k, e, t, text)
			if rest := c.belowBase(k, t.Pattern); rest != t.Pattern {
				t.Names = t.Names&^rule.Build | c.names(rest, true)
			}
			return t
		}
	}
	abs, ok := c.absolute(k, text)
	if !ok {
		if t.Class = rule.Unknown; c.inFound(k, text) {
			t.Class |= rule.Outside
		}
		return t
	}
	if !k.away() && e.kind&rule.Look == 0 {
		abs = c.throughLinks(k, c.climbed(k, text, abs), e)
	}
	if c.in.Follow != nil && !k.away() && e.kind&(rule.Look|rule.Run) == 0 {
		if real := c.follow(abs, e); real != abs {
			t.Through, abs = abs, real
		}
	}
	t.Path = abs
	t.Class = c.classify(abs, k.away())
	if t.Class&rule.Temp != 0 && t.Pattern != "" && !k.away() && c.ownTree(abs) {
		t.Class = c.outside(abs) // all that is in a work tree of the project, which is no work tree then
	}
	if e.kind&rule.DeleteTree != 0 && t.Class&rule.Inside != 0 && !k.away() && c.in.Mounted != nil && c.in.Mounted(abs) {
		t.Class = rule.Outside // a disk or share whose content belongs to more than this project
	}
	if !known && t.Class&(rule.Root|rule.Home|rule.Project|rule.System|rule.Parent) != 0 {
		// "$HOME/$X": something below, not the place itself.
		switch {
		case t.Class&(rule.Root|rule.Parent) != 0 && c.foundByName(abs, e):
			t.Class = rule.Outside
		case t.Class&rule.Home != 0:
			t.Class = rule.Outside
		case t.Class&rule.Project != 0:
			t.Class = rule.Inside | rule.Unknown
		}
	}
	name := abs
	if !known {
		name = e.text // "./{}/__pycache__": the end is known
	}
	name = c.belowBase(k, name)
	if name != text || e.glob {
		t.Names = t.Names&^rule.Build | c.names(name, false)
	}
	// Outside of every project, such a name says little: nothing makes ~/logs or ../out again.
	if t.Class&rule.Outside != 0 && t.Names&(rule.Scratch|rule.Results) != 0 && !k.away() {
		t.Names &^= rule.Build
	}
	if t.Names&keyByName != 0 && c.noKeyFile(k, e, abs) {
		t.Names &^= keyByName
	}
	if t.Names&(keyByName|rule.SecretDir) == 0 && known && t.Class&(rule.Unknown|rule.Temp|rule.Device) == 0 && !k.away() && c.keptKey(abs) {
		t.Names |= rule.Secret
	}
	c.restored(k, &t)
	if name, own := c.inOwn(abs); own && !k.away() {
		t.Names |= rule.Guard | c.names(ownState+name, false) // wherever XDG_STATE_HOME has it
	}
	return t
}

// belowBase is a path without the folders in front of the project, of its work tree or of the home it lies in: neither a project in a folder
// called tmp or build is build output, nor what a home there holds.
func (c *checker) belowBase(k *call, name string) string {
	in := c.in
	if k.away() || in.Root == "" {
		return name
	}
	if rest, ok := c.under(name, in.Root); ok {
		return rest
	}
	if rest, ok := c.under(name, in.Home); ok && in.Home != "" && rest != "" {
		return rest
	}
	if c.set.isTemp(name) {
		return strings.TrimPrefix(name, c.treeOf(name))
	}
	return name
}

// inFound reports a name in a folder that a search finds in a place outside the project: find ~/Documents -execdir rm {} \;.
func (c *checker) inFound(k *call, text string) bool {
	dir := &k.cmd.Dir
	from := dir.Prefix()
	if k.away() || !dir.Listed() || strings.HasPrefix(text, "..") {
		return false
	}
	abs, ok := c.absolute(nil, from[:strings.LastIndexByte(from, '/')+1])
	return ok && c.spend(costPlace) && c.classify(abs, false)&beyond != 0
}

// foundByName reports what a search below a folder found by a name or a pattern that is
// none of those on the way from there to the project. A name that is not known may lead
// to it, or be empty.
func (c *checker) foundByName(base string, e *effect) bool {
	n := len(e.word.Parts)
	if n == 0 || e.text != e.word.Text || !e.word.Listed() {
		return false
	}
	end := e.word.Parts[n-1].Text // "{}/*.o", "*.o", or a known name behind what is listed
	i := strings.LastIndexByte(end, '/')
	if i+1 == len(end) || i < 0 && !strings.ContainsAny(end, "*?[") {
		return false
	}
	rest, ok := c.under(c.in.Root, base)
	for name := range strings.SplitSeq(rest, "/") {
		if globFold(end[i+1:], name) {
			return false
		}
	}
	return ok
}

// globbed classifies a path whose last known folder is base and whose rest are
// names that a pattern picks from it.
func (c *checker) globbed(k *call, e *effect, t Target, base string) Target {
	abs, ok := c.absolute(k, base)
	if !ok {
		t.Class = rule.Unknown
		return t
	}
	t.Class = c.classify(abs, k.away())
	switch {
	case t.Class&rule.Temp != 0 && !k.away() && c.ownTree(abs):
		t.Class = c.outside(abs) // what is in a work tree of the project
	case t.Class&rule.Root != 0:
		t.Class = rule.System // some of the folders of the system
	case t.Class&rule.Home != 0:
		t.Class = rule.Outside
		if c.set.isHomes(abs) {
			t.Class = rule.Home
		}
	case t.Class&rule.Project != 0:
		t.Class = rule.Inside
	case t.Class&rule.Parent != 0 && c.picksParent(abs, e.text):
	case t.Class&rule.Parent != 0 && c.set.isTemp(abs):
		t.Class = rule.Temp
	case t.Class&rule.Parent != 0:
		t.Class = rule.Outside
	}
	return t
}

// picksParent reports that a pattern in a folder above the project fits the name there
// that leads to the project: "/srv/a*" is more than one of many where /srv/app holds it.
func (c *checker) picksParent(base, pattern string) bool {
	rest, ok := c.under(c.in.Root, base)
	if !ok {
		return false
	}
	name, _, _ := strings.Cut(rest, "/")
	part := pattern[strings.LastIndexByte(pattern[:strings.IndexAny(pattern, "*?[")], '/')+1:]
	part, more, _ := strings.Cut(part, "/")
	return strings.Trim(more, "/") == "" && glob(part, name)
}

// globBase cuts a path before its first component with a wildcard. all tells
// that the components from there on stand for everything in the folder.
func (c *checker) globBase(text string) (base string, all bool) {
	i := strings.IndexAny(text, "*?[")
	if i < 0 {
		return text, true
	}
	cut := strings.LastIndexByte(text[:i], '/')
	if cut < 0 {
		base = "."
	} else {
		base = text[:cut+1]
	}
	for _, part := range strings.Split(text[cut+1:], "/") {
		if !c.set.In("globs-of-all", strings.Trim(part, "*")) {
			return base, false
		}
	}
	return base, true
}

// absolute joins a path to the directory in force; ok is false when that is not
// known.
func (c *checker) absolute(k *call, text string) (string, bool) {
	p, ok := c.joined(k, text)
	if !ok {
		return "", false
	}
	return c.cleaned(p), true
}

// joined is absolute with every step up that the names have.
func (c *checker) joined(k *call, text string) (string, bool) {
	if text == "" {
		return "", false
	}
	if text[0] == '/' || len(text) > 1 && text[1] == ':' {
		return text, true
	}
	dir, known := c.in.Dir, true
	if k != nil {
		if k.away() {
			return "", false
		}
		if d, ok := k.cmd.Dir.Known(); !ok {
			known = false
		} else if d != "" {
			dir = d
		}
	}
	if !known || dir == "" {
		return "", false
	}
	dir = slashes(dir, c.in.Windows || strings.Contains(dir, `:\`))
	if text == "." || text == "./" {
		return dir, true
	}
	return dir + "/" + text, true
}

// maxClimbs bounds the steps up of one path that are taken where links lead.
const maxClimbs = 16

// climbed is a path whose steps up are taken as the system takes them: ".." is the parent of the folder to which a link leads. abs is the
// path by its names alone.
func (c *checker) climbed(k *call, text, abs string) string {
	p, ok := c.joined(k, text)
	if !ok || c.in.Follow == nil || !strings.Contains(p, "/..") || c.in.Windows {
		return abs
	}
	for range maxClimbs {
		i := strings.Index(p+"/", "/../")
		switch {
		case i < 0:
			return c.cleaned(p)
		case i == 0:
			p = p[3:]
		case !c.spend(costPlace):
			return abs
		default:
			to := c.cleaned(p[:i])
			to = c.in.Follow(c.throughLinks(k, to, &effect{text: to}))
			p = strings.TrimSuffix(path.Dir(to), "/") + p[i+3:]
		}
	}
	return c.cleaned(p)
}

// cleaned is path.Clean that keeps the slash of a drive and gives it one name.
func (c *checker) cleaned(p string) string {
	if !clean(p) {
		p = path.Clean(p)
	}
	p = drive(p, c.in.Windows)
	if len(p) == 2 && p[1] == ':' {
		p += "/"
	}
	return p
}

// clean reports an absolute path that path.Clean leaves as it is. It is asked of each path
// several times, and a look for a few bytes takes a tenth of the time of a copy.
func clean(p string) bool {
	return strings.HasPrefix(p, "/") && !strings.HasSuffix(p, "/") && !strings.Contains(p, "//") && !strings.Contains(p, "/./") &&
		!strings.Contains(p, "/../") && !strings.HasSuffix(p, "/.") && !strings.HasSuffix(p, "/..")
}

func slashes(p string, windows bool) string {
	if windows && strings.Contains(p, `\`) {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// follow resolves symbolic links. What is deleted, moved or given another mode
// is the link itself, so only the folders above it are resolved then.
func (c *checker) follow(abs string, e *effect) string {
	if len(abs) > 1 && abs[1] == ':' && !c.in.Windows {
		return abs // a drive, on a system that has none
	}
	if c.set.stream(abs) {
		return abs // what is open already: which file that is was judged where it was opened
	}
	if e.kind&(rule.Delete|rule.DeleteTree|rule.Move|rule.Rename|rule.Link) != 0 && !strings.HasSuffix(e.text, "/") && !strings.HasSuffix(e.text, "/.") && !e.glob {
		dir, base := path.Split(abs)
		if dir == "" || base == "" {
			return abs
		}
		return c.spelled(c.cleaned(c.in.Follow(c.cleaned(dir)) + "/" + base))
	}
	return c.spelled(c.in.Follow(abs))
}

// spelled turns a followed path back to the names that the input uses for project and
// home, which may be reached through links themselves.
func (c *checker) spelled(p string) string {
	for _, top := range [...]string{c.in.Root, c.in.Home} {
		if top == "" {
			continue
		}
		if _, ok := c.under(p, top); ok {
			return p
		}
		if rest, ok := c.under(p, c.in.Follow(top)); ok {
			return c.cleaned(top + "/" + rest)
		}
	}
	return p
}
