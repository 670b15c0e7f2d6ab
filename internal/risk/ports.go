package risk

import (
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

// ownServerByFile reports that all that a kill ends stands in files of numbers that a server of the project, or one for a while, left: "kill -9 $(cat tmp/server.pid)".
func (m *match) ownServerByFile() bool {
	c, k := m.c, m.call
	for _, i := range k.operands {
		from := k.cmd.Args[i].From()
		if len(from) == 0 {
			return false
		}
		for _, j := range from {
			if j < 0 || j >= len(c.calls) || c.calls[j].raw != "cat" || len(c.calls[j].operands) == 0 {
				return false
			}
			p := &c.calls[j]
			for n := range p.effects {
				e := &p.effects[n]
				if e.kind&rule.Read != 0 && (!e.known || e.glob || !c.ends("endings-of-number-files", e.text) || c.locate(p, e).Class&(rule.Inside|rule.Project|rule.Temp) == 0) {
					return false
				}
			}
		}
	}
	return len(k.operands) > 0
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
