package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What a container that is made for one command does to files ends with it, except in
// the folders of this machine that it is given: there it does what the command would
// do here.

// mount is a folder of this machine and its place in a container.
type mount struct {
	from, to string
	readOnly bool
}

// contain judges the effects of a command in a container by where they lie on this
// machine. Where that cannot be told they are left as they are: somewhere else.
func (k *call) contain(c *checker) {
	if !reachedThrough(k, "docker run", "docker container run", "podman run", "podman container run", "nerdctl run") || reachedThrough(k, "ssh", "docker exec", "chroot", "nsenter", "unshare") {
		return // or "/" is another one yet
	}
	for i := k.index - 1; i >= 0; i-- {
		p := &c.calls[i]
		if p.name != "docker" || p.cmd.Span[0] > k.cmd.Span[0] || p.cmd.Span[1] < k.cmd.Span[1] {
			continue
		}
		if p.prog == nil || p.fuzzy || p.givenOf(c.set.members("options-of-escape")) {
			return
		}
		mounts, ok := c.mounts(p)
		if !ok {
			return
		}
		if list, kinds, ok := c.brought(k, p, mounts); ok {
			k.effects, k.kinds, k.mounted = list, kinds, true
		}
		return
	}
}

// mounts lists what a container is given; ok is false for a named volume, which outlives
// the container and lies nowhere that could be looked at, and for a form not known here.
func (c *checker) mounts(p *call) (list []mount, ok bool) {
	for i := range p.options {
		o := &p.options[i]
		given := slashes(o.value, c.in.Windows)
		var m mount
		switch o.name {
		case "-v", "--volume":
			value, drive := strings.TrimPrefix(given, "="), "" // "-v=/a:/b" too
			if c.in.Windows && len(value) > 2 && value[1:3] == ":/" {
				drive, value = value[:2], value[2:] // C:/a:/b
			}
			parts := strings.Split(value, ":")
			if len(parts) < 2 || len(parts) > 3 {
				return nil, false
			}
			m.from, m.to = drive+parts[0], parts[1]
			m.readOnly = len(parts) == 3 && contains(strings.Split(parts[2], ","), "ro")
		case "--mount":
			for part := range strings.SplitSeq(given, ",") {
				switch name, value, _ := strings.Cut(part, "="); name {
				case "type":
					if value != "bind" {
						return nil, false
					}
				case "source", "src":
					m.from = value
				case "target", "dst", "destination":
					m.to = value
				case "readonly", "ro":
					m.readOnly = value != "false"
				}
			}
		default:
			continue
		}
		if p.cmd.Args[o.word].Kind != shell.Literal || !strings.ContainsAny(m.from, "/.~") || !strings.HasPrefix(m.to, "/") {
			return nil, false
		}
		if rest, home := strings.CutPrefix(m.from, "~"); home && (rest == "" || rest[0] == '/') && c.in.Home != "" {
			m.from = c.in.Home + rest // nobody names a folder "~"
		}
		abs, known := c.absolute(p, m.from)
		if !known {
			return nil, false
		}
		list = append(list, mount{abs, path.Clean(m.to), m.readOnly})
	}
	return list, true
}

// brought returns the effects that reach this machine, at the places where they do;
// ok is false when a path cannot be told, and could be one of these.
func (c *checker) brought(k, p *call, mounts []mount) (list []effect, kinds rule.Kind, ok bool) {
	if len(mounts) == 0 {
		return nil, 0, true
	}
	for i := range k.effects {
		e := k.effects[i]
		at, ok := seenInside(k, p, &e)
		if !ok {
			return nil, 0, false
		}
		top := at // of what a pattern picks from
		if e.glob {
			base, _ := c.globBase(at)
			top = path.Clean(base)
		}
		for _, m := range mounts {
			rest, below := c.under(at, m.to)
			_, above := c.under(m.to, top)
			if m.readOnly && e.kind&(rule.Read|rule.Send|rule.Look) == 0 || !below && (!above || e.kind&(rule.DeleteTree|rule.ChmodTree) == 0) {
				continue
			}
			to := e
			to.text, to.known = path.Join(m.from, rest), true
			list, kinds = append(list, to), kinds|to.kind
		}
	}
	return list, kinds, true
}

// seenInside is the path of an effect as the container sees it.
func seenInside(k, p *call, e *effect) (abs string, ok bool) {
	if !e.known {
		return "", false
	}
	if strings.HasPrefix(e.text, "/") {
		return path.Clean(e.text), true
	}
	dir, known := k.cmd.Dir.Known()
	if !known || dir == "" {
		if k.cmd.Dir.Kind != shell.Unknown || k.cmd.Dir.Text != "$PWD" {
			return "", false
		}
		dir = ""
		for i := range p.options {
			if o := &p.options[i]; o.name == "-w" || o.name == "--workdir" {
				dir = o.value
			}
		}
	}
	if !strings.HasPrefix(dir, "/") {
		return "", false // the image says where it begins
	}
	return path.Join(dir, e.text), true
}

// listedByName reports that what a call is about are containers which a list picks by their name, label or image. Other lists pick
// what somebody else runs, too, and volumes hold data whatever they are called.
func (m *match) listedByName() bool {
	k := m.call
	if k.sub("volume", nil) || k.sub("rmi", nil) || k.sub("image", nil) {
		return false
	}
	return m.c.wordsFrom(k, func(p *call) bool { return p.name == k.name && p.givenOf(m.c.set.members("picks-containers")) })
}

// throwAwayCluster reports a call of what makes clusters on this machine, unless a word says that all of them are meant, or that others use one.
func (m *match) throwAwayCluster() bool {
	c, k := m.c, m.call
	if !c.set.In("makes-clusters", k.raw) {
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Literal || c.set.In("every-cluster", w.Text) || c.holdsWord(w.Text, "live-names") || c.holdsWord(w.Text, "shared-names") {
			return false
		}
	}
	return true
}

// composesTests reports that the project of a composition is called after tests, or that each of its files is: what such a file adds to
// another one shares that one's volumes.
func (m *match) composesTests() bool {
	c, k := m.c, m.call
	tests := func(name string) bool { return c.holdsWord(name, "test-names") && !c.holdsWord(name, "live-names") }
	project, files, others := false, false, false
	look := func(by, value string) {
		switch {
		case c.set.In("names-composition", by):
			project = project || tests(value)
		case c.set.In("names-compose-file", by):
			for name := range strings.SplitSeq(value, ":") {
				files, others = true, others || !tests(name)
			}
		}
	}
	for i := range k.options {
		look(k.options[i].name, k.options[i].value)
	}
	for i := range k.cmd.Assigns {
		look(k.cmd.Assigns[i].Name, k.cmd.Assigns[i].Value.Text)
	}
	return project || files && !others
}
