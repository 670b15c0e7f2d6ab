package risk

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What single words mean: hosts, modes of chmod, names of production systems.

// remoteOperand tells host:path and user@host:path from paths and from drives: "h:" is a host, and "h:/x" a drive.
func remoteOperand(s string) bool {
	colon := strings.IndexByte(s, ':')
	if colon < 1 || colon == 1 && strings.IndexAny(s[2:], `/\\`) == 0 {
		return strings.HasPrefix(s, "rsync://") || strings.HasPrefix(s, "scp://") || strings.HasPrefix(s, "sftp://")
	}
	return !strings.Contains(s[:colon], "/") || strings.Contains(s[:colon], "@")
}

// remoteHost is the host of host:path and user@host:path, if its name says no more than that.
func remoteHost(s string) string {
	host, rest, _ := strings.Cut(s, ":")
	if !remoteOperand(s) || strings.HasPrefix(rest, "//") || strings.ContainsAny(host, "*?{}[]$`'\" ") {
		return ""
	}
	return host
}

// remoteLast reports host:path as the last operand: that is where it goes. Where the first operand is one, it comes from there.
func (m *match) remoteLast() bool {
	k := m.call
	if len(k.operands) < 2 {
		return false
	}
	last := k.operand(len(k.operands) - 1)
	m.host = remoteHost(last)
	return remoteOperand(last) || k.name == "kubectl" && strings.Contains(last, ":") // namespace/pod:path
}

// storeLast is remoteLast for clients of stores, some of which write the server as the first folder of a path.
func (m *match) storeLast() bool {
	c, k := m.c, m.call
	if m.remoteLast() {
		return true
	}
	if len(k.operands) < 2 || !c.set.In("stores-by-alias", k.raw) {
		return false
	}
	alias, bucket, below := strings.Cut(k.operand(len(k.operands)-1), "/")
	if !below || bucket == "" || alias == "" || strings.ContainsAny(alias[:1], ".~") || c.holdsWord(alias, "stages") {
		return false
	}
	at, known := c.absolute(k, alias)
	return known && c.in.Exists != nil && c.spend(costPlace) && !c.in.Exists(at)
}

// storeHere reports a client of a store that is told one on this machine, or knows no other.
func (m *match) storeHere() bool {
	c, k := m.c, m.call
	if c.set.In("clients-here", k.raw) || c.servesHere(k) {
		return true
	}
	for name := range c.set.words("variables-of-store") {
		_, address, ok := strings.Cut(m.variableHere(name), "://")
		host, _, _ := strings.Cut(address, "/")
		host, _, _ = strings.Cut(host, ":")
		if ok && c.set.isLocal(host) {
			return true
		}
	}
	return false
}

// localHost reports that every host among the operands is this machine.
func (m *match) localHost() bool {
	found := false
	for _, i := range m.hosts() {
		s := m.call.cmd.Args[i].Text
		if _, after, ok := strings.Cut(s, "://"); ok {
			s = after
		}
		kind, rest, typed := strings.Cut(s, ":")
		switch kind = strings.ToLower(kind); {
		case m.c.set.In("address-kinds-here", kind):
			found = true
			continue
		case typed && m.c.set.In("address-kinds", kind): // socat - TCP:localhost:80
			s = rest
		}
		s, _, _ = strings.Cut(s, "/")
		if at := strings.LastIndexByte(s, '@'); at >= 0 {
			s = s[at+1:]
		}
		if strings.HasPrefix(s, "[::1]") {
			found = true
			continue
		}
		s, port, _ := strings.Cut(s, ":")
		if _, err := strconv.Atoi(s); err == nil || s == "-" {
			continue // a port
		}
		if s == "" && port != "" { // HTTPie's :3000 is localhost:3000
			found = true
			continue
		}
		if !m.c.set.isLocal(s) {
			return false
		}
		found = true
	}
	return found
}

// hosts is the operands that name hosts. HTTPie and xh take a method before the address
// and the fields of the request behind it.
func (m *match) hosts() []int {
	k := m.call
	if k.name != "http" && k.name != "xh" {
		return k.operands
	}
	for n := range k.operands {
		if !m.c.set.In("http-methods", strings.ToUpper(k.operand(n))) {
			return k.operands[n : n+1]
		}
	}
	return nil
}

// mode judges chmod's first operand.
func (m *match) mode(name string) bool {
	k := m.call
	if len(k.operands) == 0 {
		return false
	}
	s := k.operand(0)
	if n, err := strconv.ParseUint(s, 8, 16); err == nil {
		switch name {
		case "absolute-mode-open":
			return n&0o002 != 0 && n&0o1000 == 0
		case "mode-closed":
			return n&0o777 == 0
		default:
			return n&0o6000 != 0
		}
	}
	for _, clause := range strings.Split(s, ",") {
		who, what, ok := cutAny(clause, "+=")
		if !ok {
			if name == "mode-closed" && (clause == "a-rwx" || clause == "ugo-rwx" || clause == "a=") {
				return true
			}
			continue
		}
		switch name {
		case "absolute-mode-open":
			// "+w" alone obeys the umask and is everyday.
			if strings.ContainsAny(who, "oa") && strings.Contains(what, "w") {
				return true
			}
		case "mode-setuid":
			if strings.Contains(what, "s") {
				return true
			}
		case "mode-closed":
			if what == "" && strings.ContainsAny(who, "a") {
				return true
			}
		}
	}
	return false
}

// modeLost reports a mode that takes rights or sets them: u+x alone, and what else only adds, leaves the rest as it was.
func (m *match) modeLost() bool {
	k := m.call
	if len(k.operands) == 0 || len(k.options) > 0 && k.given([]string{"--reference"}) {
		return true
	}
	w := &k.cmd.Args[k.operands[0]]
	return w.Kind != shell.Literal || !strings.Contains(w.Text, "+") || strings.ContainsAny(w.Text, "-=")
}

func cutAny(s, seps string) (before, after string, ok bool) {
	if i := strings.IndexAny(s, seps); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// production looks for a word that names a production system among all words
// and variables of the call.
func production(k *call) bool {
	for i := range k.cmd.Args {
		if i > 0 && productionWord(k.cmd.Args[i].Text) {
			return true
		}
	}
	for i := range k.cmd.Assigns {
		if productionWord(k.cmd.Assigns[i].Value.Text) {
			return true
		}
	}
	return false
}

func productionWord(s string) bool {
	s = strings.ToLower(s)
	for from := 0; ; {
		i := strings.Index(s[from:], "prod")
		if i < 0 {
			return false
		}
		i += from
		end := i + len("prod")
		if strings.HasPrefix(s[i:], "production") {
			end = i + len("production")
		}
		if (i == 0 || !letter(s[i-1])) && (end == len(s) || !letter(s[end])) {
			return true
		}
		from = i + 1
	}
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' }

// httpMethod reports the method of a request, as an option or as a word.
func httpMethod(k *call, methods ...string) bool {
	for _, method := range methods {
		if k.given([]string{"-X=" + method, "--request=" + method, "--method=" + method}) {
			return true
		}
		if (k.name == "http" || k.name == "xh") && len(k.operands) > 0 && strings.EqualFold(k.operand(0), method) {
			return true
		}
	}
	return false
}

// fedOption reports that a list decides about an option of an interpreter: which
// module it loads, which file it runs, or a part of its program.
func (m *match) fedOption() bool {
	k := m.call
	if !fedByList(k) {
		return false
	}
	for i := range k.options {
		o := &k.options[i]
		if o.name == "-W" || o.name == "-c" && m.c.set.shell(k.raw) {
			continue // warnings; a script that is there to see but for a file's name
		}
		if k.cmd.Args[o.word].Kind != shell.Literal {
			return true
		}
	}
	return false
}

// servesWidely reports a file server that is told to listen to others, or whose
// folder is more than a project.
func (m *match) servesWidely() bool {
	c, k := m.c, m.call
	for row := range c.set.words("file-servers") {
		words := strings.Fields(row)
		if words[0] != k.raw {
			continue
		}
		dir, ok := m.served(words[1:])
		if !ok {
			continue
		}
		if c.servesAt(k, func(host string) bool { return c.set.In("any-machine", host) }) {
			return true
		}
		e := effect{kind: rule.Look, word: &k.cmd.Dir, text: dir, known: true}
		return !c.servesHere(k) && c.placeOf(k, &e).Class&(rule.Inside|rule.Project|rule.Other|rule.Temp|rule.Unknown) == 0
	}
	return false
}

// socatLocal reports that every address of socat which connects is on this machine.
func (m *match) socatLocal() bool {
	return !m.anyOperand(func(s string) bool {
		kind, rest, _ := strings.Cut(s, ":")
		kind = strings.ToLower(kind)
		if strings.Contains(kind, "listen") || !strings.HasPrefix(kind, "tcp") && !strings.HasPrefix(kind, "udp") && !strings.HasPrefix(kind, "openssl") && !strings.HasPrefix(kind, "s") && kind != "proxy" {
			return false
		}
		host, _, _ := strings.Cut(rest, ":")
		// A name without a dot is of the same network, as those of containers are.
		named := host != "" && unicode.IsLetter(rune(host[0])) && !strings.Contains(host, ".")
		return rest != "" && !m.c.set.isLocal(host) && !named
	})
}

// copiesAll reports that all of a folder is copied, not the folder itself: "dir/.",
// "dir/*", or -T.
func (m *match) copiesAll() bool {
	k := m.call
	for _, i := range k.operands[:max(0, len(k.operands)-1)] {
		if w := &k.cmd.Args[i]; w.Glob || strings.HasSuffix(w.Text, "/.") {
			return true
		}
	}
	return k.givenOf(m.c.set.members("options-replacing-place"))
}
