package risk

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// maxSources bounds the archives and folders that one call is looked into for.
const maxSources = 16

// bringsIgnored reports files that Git ignores where a program unpacks an archive or copies files, and that what it brings replaces. They
// are the targets, so that they get to the vault. Where it cannot be told what comes, the folder is one, and picks all of them.
func (m *match) bringsIgnored() bool {
	c, k := m.c, m.call
	if c.in.Holds == nil || c.in.Ignored == nil || c.in.Exists == nil || k.away() {
		return false
	}
	copies := c.set.In("copies-files", k.name)
	kinds := rule.WriteTree
	switch {
	case copies:
		kinds = rule.Write
	case m.answered():
		kinds |= rule.Write // "yes A | unzip x.zip"
	}
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&kinds == 0 || e.redirect || e.glob || !e.known {
			continue
		}
		t := c.locate(k, e)
		if t.Class&(rule.Inside|rule.Project) == 0 || t.Class&(rule.Unknown|rule.Dotgit) != 0 || t.Names&rule.Build != 0 || c.absent(k, t.Path) {
			continue
		}
		into := copies && m.intoUnknown(e, t.Path)
		if names, _, known := m.brought(e, copies); known && !into && !strings.Contains(t.Path, "/"+somewhere) {
			for _, name := range names {
				if c.spend(1) {
					m.replaces(path.Join(t.Path, name), t.Path)
				}
			}
			continue
		}
		one := *t
		if m.found(e, &one); one.picks == nil && !c.namesHeld(k, e) {
			one.Path, _, _ = strings.Cut(one.Path, "/"+somewhere)
			one.guess, one.picks = true, func(file string) bool { return lies(file, one.Path) }
		}
		if one.picks != nil && c.in.Exists(one.Path) {
			m.targets = append(m.targets, one)
		}
	}
	return len(m.targets) > 0
}

// answered reports a program that asks before it replaces a file, and that has something to read the answer from.
func (m *match) answered() bool {
	k := m.call
	if k.cmd.Stdin == nil || !m.c.set.In("asks-before-replacing", k.name) {
		return false
	}
	return !slices.ContainsFunc(k.options, func(o option) bool { return m.c.set.In("options-replacing-nothing", k.name+" "+o.name) })
}

// replaces adds a path below dir to the targets if an ignored file stands there that nothing makes again.
func (m *match) replaces(p, dir string) {
	c := m.c
	if _, below := c.under(p, dir); !below || p == dir || c.in.Regular == nil || !c.in.Regular(p) {
		return
	}
	name := p // what lies above the project says nothing about what is in it
	if rest, in := c.under(p, c.in.Root); in && c.in.Root != "" {
		name = rest
	}
	t := Target{Path: p, Class: c.classify(p, false), Names: c.names(name, false)}
	if c.ignored(&t); t.Ignored && t.Names&rule.Build == 0 {
		m.targets = append(m.targets, t)
	}
}

// brought lists what comes into the place of an effect, by the paths that it has there. unread is an archive that is there and could not be
// looked into as a whole; not one whose files, as far as they could, all lie in one folder, as those of releases do.
func (m *match) brought(to *effect, copies bool) (names []string, unread string, known bool) {
	c, k := m.c, m.call
	if copies && c.in.Regular != nil && c.in.Regular(c.locate(k, to).Path) {
		return nil, "", true // a file over a file: rules about that one file hold
	}
	strip, junk, ok := m.cutsOff()
	if !ok {
		return nil, "", false
	}
	sources, unsure, packed := 0, false, true
	add := func(text string, glob bool) {
		abs, ok := c.absolute(k, text)
		if !ok || sources == maxSources || copies && k.prog.Network && remoteOperand(text) {
			unsure = true
			return
		}
		if !copies && (c.in.Regular == nil || !c.in.Regular(abs)) {
			return // a word, or the folder that it goes to
		}
		sources++
		contents := copies && (strings.HasSuffix(text, "/.") || text == "." || c.set.In("copies-contents", k.name) && (strings.HasSuffix(text, "/") || !c.set.In("copies-names", k.name)) || k.givenOf(c.set.members("options-replacing-place")))
		if copies {
			made, sure := c.putInAs(k, abs, glob, contents)
			names, unsure = append(names, made...), unsure || !sure
		}
		if copies && glob {
			list, _ := c.in.Names(abs)
			for _, name := range list {
				names = append(names, name)
				if below, ok := c.in.Holds(path.Join(path.Dir(abs), name)); ok {
					names = append(names, prefixed(name, below)...)
				}
			}
			known = true
			return
		}
		held, ok := c.in.Holds(abs)
		switch {
		case copies && !ok: // one file
			names, known = append(names, path.Base(text)), true
		case contents:
			names, known = append(names, held...), true
		case copies:
			names, known = append(names, prefixed(path.Base(text), held)...), true
		case ok:
			known = true
			for _, name := range held {
				if name = stripped(name, strip, junk); name != "" && m.unpacks(name) {
					names = append(names, name)
				}
			}
		case unread == "" && packed && !oneFolder(held, strip, junk):
			unread = abs
		}
	}
	for i := range k.effects {
		if from := &k.effects[i]; from.kind&(rule.Read|rule.Move|rule.Send) != 0 {
			unsure = unsure || !from.known && !from.glob
			add(from.text, from.glob)
		}
	}
	if copies {
		return names, "", known && !unsure
	}
	for i := range k.options {
		if o := &k.options[i]; o.has && &k.cmd.Args[o.word] != to.word {
			packed = c.set.In("options-naming-archive", o.name) // else it may be a list of names
			add(o.value, false)
		}
	}
	packed = false
	for _, i := range k.operands {
		if w := &k.cmd.Args[i]; w != to.word {
			add(w.Text, false)
		}
	}
	packed = true
	for _, i := range k.cmd.PipeFrom { // "cat x.tgz | tar xz"
		if i < 0 || i >= len(c.calls) {
			continue
		}
		for j := range c.calls[i].effects {
			if from := &c.calls[i].effects[j]; from.kind&rule.Read != 0 && from.known {
				add(from.text, false)
			}
		}
	}
	return names, unread, known && !unsure
}

// cutsOff says how many folders an unpacking program takes off the names in an archive, or that it takes all off. ok is false where it
// changes them in ways that only it knows.
func (m *match) cutsOff() (strip int, junk, ok bool) {
	k := m.call
	for i := range k.options {
		o := &k.options[i]
		switch {
		case m.c.set.In("options-renaming-members", o.name):
			return 0, false, false
		case o.has && m.c.set.In("options-stripping-members", o.name):
			n, err := strconv.Atoi(o.value)
			if err != nil {
				return 0, false, false
			}
			strip = n
		case m.c.set.In("options-junking-paths", k.name+" "+o.name):
			junk = true
		}
	}
	return strip, junk, true
}

// oneFolder reports names that all lie in one folder, which is none of settings.
func oneFolder(names []string, strip int, junk bool) bool {
	if len(names) == 0 || junk {
		return false
	}
	top, _, _ := strings.Cut(stripped(names[0], strip, false), "/")
	return top != "" && top[0] != '.' && !slices.ContainsFunc(names, func(name string) bool {
		name = stripped(name, strip, false)
		return name != "" && !strings.HasPrefix(name, top+"/")
	})
}

func stripped(name string, strip int, junk bool) string {
	if junk {
		return path.Base(name)
	}
	for ; strip > 0; strip-- {
		_, rest, ok := strings.Cut(name, "/")
		if !ok {
			return ""
		}
		name = rest
	}
	return strings.TrimPrefix(name, "/")
}

func prefixed(dir string, names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = path.Join(dir, name)
	}
	return list
}
