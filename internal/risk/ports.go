package risk

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// What ends the servers of one's own: by a port, or by the file that holds their number.

// freesPort reports that all that a kill ends is what holds one port, as when a
// development server was left behind. Ports of the system and of databases are not
// meant: what holds these loses data.
func (m *match) freesPort() bool {
	c, k := m.c, m.call
	switch k.raw {
	case "fuser", "kill-port":
		return m.namesPorts()
	}
	holder := func(p *call) bool { return p.raw == "lsof" && c.portOf(p) }
	for _, i := range k.operands {
		from := k.cmd.Args[i].From()
		if len(from) == 0 {
			return false
		}
		for _, j := range from {
			if j < 0 || j >= len(c.calls) || !holder(&c.calls[j]) && !c.upstream(&c.calls[j], make([]bool, len(c.calls)), holder) {
				return false
			}
		}
	}
	return len(k.operands) > 0
}

// killsByName reports that a kill ends what a list of processes finds by a name, which is not that of the agent's own server.
func (m *match) killsByName() bool {
	c, k := m.c, m.call
	finds := func(p *call) bool {
		if c.set.In("lists-processes-by-name", p.raw) {
			full := p.given([]string{"-f", "--full"})
			return slices.ContainsFunc(p.operands, func(i int) bool {
				name := p.cmd.Args[i].Text
				return !c.set.In("development-servers", name) && !(full && m.ownByPattern(name))
			})
		}
		lists := func(q *call) bool { return c.set.In("lists-processes", q.raw) }
		if !c.set.In("picks-lines-by-pattern", p.raw) || p.given([]string{"-v", "--invert-match"}) || len(p.operands) == 0 {
			return false
		}
		pattern := strings.TrimLeft(p.operand(0), " ")
		if rest, program := strings.CutPrefix(pattern, "/"); program { // awk '/worker/ {print $2}'
			pattern, _, _ = strings.Cut(rest, "/")
		} else if strings.HasPrefix(pattern, "{") {
			return false // it picks fields
		}
		return !m.ownByPattern(strings.NewReplacer("[", "", "]", "").Replace(pattern)) && c.upstream(p, make([]bool, len(c.calls)), lists)
	}
	return slices.ContainsFunc(k.operands, func(i int) bool {
		return slices.ContainsFunc(k.cmd.Args[i].From(), func(j int) bool {
			return j >= 0 && j < len(c.calls) && (finds(&c.calls[j]) || c.upstream(&c.calls[j], make([]bool, len(c.calls)), finds))
		})
	})
}

// ownServerByFile reports that all that a kill ends stands in files of numbers that a server of the project left: "kill -9 $(cat tmp/server.pid)".
func (m *match) ownServerByFile() bool {
	c, k := m.c, m.call
	for _, i := range k.operands {
		w := &k.cmd.Args[i]
		from := w.From()
		if len(from) == 0 || strings.HasPrefix(strings.TrimLeft(cut(c.in.Command, w.Span), `"`), "-") { // a minus in front means a whole group
			return false
		}
		for _, j := range from {
			if j < 0 || j >= len(c.calls) || c.calls[j].raw != "cat" || len(c.calls[j].operands) == 0 {
				return false
			}
			p := &c.calls[j]
			for n := range p.effects {
				if e := &p.effects[n]; e.kind&rule.Read != 0 && (!e.known || e.glob || !c.ends("endings-of-number-files", e.text) || !c.holdsOwnServer(p, c.locate(p, e))) {
					return false
				}
			}
		}
	}
	return len(k.operands) > 0
}

// holdsOwnServer reports a file of the project that is not there, or holds one number of a process that is neither the guard's nor one that serves
// everybody. What else than a program that prints its words writes it on the line may bring the number of any.
func (c *checker) holdsOwnServer(k *call, t *Target) bool {
	if t.Class&(rule.Inside|rule.Project) == 0 || t.Class&rule.Unknown != 0 || c.in.Settings == nil || c.in.Exists == nil {
		return false
	}
	for i := range c.calls[:min(k.index, len(c.calls))] {
		p := &c.calls[i]
		for j := range p.effects {
			if w := &p.effects[j]; w.kind&(rule.Write|rule.Append) != 0 && !c.set.In("prints-words", p.raw) && (!c.spend(1) || c.locate(p, w).Path == t.Path) {
				return false
			}
		}
	}
	if !c.in.Exists(t.Path) {
		return true
	}
	text, _ := c.in.Settings(t.Path)
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n <= 1 {
		return false
	}
	for dir := range c.set.members("folders-of-processes").All() {
		at := dir + strconv.Itoa(n)
		line, there := c.in.Settings(at + "/cmdline")
		if !there {
			return c.in.Exists(dir+"self") && !c.in.Exists(at) // it has ended
		}
		words := strings.Split(strings.TrimRight(line, "\x00"), "\x00")
		return line != "" && !slices.ContainsFunc(words[:min(2, len(words))], func(w string) bool { // what runs it, and it
			return c.ownProgram(w) || c.set.In("runs-everywhere", path.Base(w))
		})
	}
	return false
}

// namesPorts is freesPort for programs that are told the port itself: "fuser -k 3000/tcp",
// "kill-port 3000,3001".
func (m *match) namesPorts() bool {
	c, k := m.c, m.call
	if c.in.Windows || k.away() || len(k.operands) == 0 {
		return false
	}
	for _, i := range k.operands {
		text := k.cmd.Args[i].Text
		if k.raw == "fuser" {
			var protocol string
			text, protocol, _ = strings.Cut(text, "/")
			// "-n tcp 3000" says it apart. Anything else is a file, with all who use it.
			if protocol != "tcp" && protocol != "udp" && (protocol != "" || !k.given([]string{"-n=tcp", "-n=udp"})) {
				return false
			}
		}
		if !c.ownPorts(text) {
			return false
		}
	}
	return true
}

// ownPorts reports a list of ports that are neither the system's nor a database's.
func (c *checker) ownPorts(list string) bool {
	for port := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(port); err != nil || n < 1024 || c.set.In("shared-ports", port) {
			return false
		}
	}
	return true
}

// portOf reports that lsof is asked about ports of one's own programs, and nothing else.
func (c *checker) portOf(k *call) bool {
	ports := 0
	for i := 1; i < len(k.cmd.Args); i++ {
		head, list, ok := strings.Cut(k.cmd.Args[i].Text, ":")
		if !ok || !strings.HasPrefix(k.cmd.Args[i].Text, "-") && !strings.Contains(k.cmd.Args[i-1].Text, "i") || strings.HasPrefix(head, "-s") {
			continue // another option, or a file
		}
		if !c.ownPorts(list) {
			return false
		}
		ports++
	}
	return ports > 0
}
