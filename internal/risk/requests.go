package risk

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Requests to other machines that change something there, by whatever program: by their method, by POST where the address or the service says
// so, and by a POST that is made in somebody's name, unless something says that it only asks. Any other POST is everyday.

// elsewhere is the host and the path of an address of another machine. A host without a dot is of the same network, as those of containers are.
func (m *match) elsewhere(address string) (host, path string, ok bool) {
	_, rest, scheme := strings.Cut(address, "://")
	if !scheme {
		rest = address
	}
	host = rest
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		host, path = rest[:at], rest[at+1:]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if number, _, ok := strings.Cut(strings.TrimPrefix(host, "["), "]"); ok && scheme && strings.HasPrefix(host, "[") {
		return number, path, strings.Contains(number, ":") && !m.c.set.isLocal(number)
	}
	host, _, _ = strings.Cut(host, ":")
	if !strings.Contains(host, ".") || strings.ContainsAny(host, " $={}[]()'\",\\") || m.c.set.isLocal(host) || m.c.set.In("hosts-echoing", host) || m.c.ends("local-domains", host) {
		return "", "", false
	}
	return host, path, true
}

// postActs reports that a POST to an address changes something: its path says so, the service is one where it does, or it is made with credentials
// and neither the path, the service nor what is sent says that it only asks. To an address of GraphQL what is sent says so.
func (m *match) postActs(host, path, sent string) bool {
	set := m.c.set
	switch {
	case strings.Contains(path, "graphql"):
		return strings.Contains(sent, "mutation")
	case m.actsByPath(path):
		return true
	case m.saysInPath(path, "address-asks"):
		return false
	case m.c.ends("hosts-taking-posts", host) || strings.Contains(sent, "mutation"):
		return true
	}
	named := set.mentions("code-gives-credential", sent) || m.call.givenOf(set.members("options-giving-credential"))
	return named && !m.c.ends("hosts-answering", host) && !m.c.ends("names-of-nowhere", host) && !set.mentions("sent-asks", sent)
}

// actsByPath reports a path with a word for what is done: /v1/users/12/deactivate, /sendMessage.
func (m *match) actsByPath(path string) bool { return m.saysInPath(path, "address-acts") }

// saysInPath reports a path with a word of a group in it.
func (m *match) saysInPath(path, group string) bool {
	for word := range strings.FieldsFuncSeq(path, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if m.c.set.In(group, verbOf(word)) {
			return true
		}
	}
	return false
}

// requestsChange reports a client of HTTP, or a program that moai does not know and that is told a method and an address, with such a request.
func (m *match) requestsChange() bool {
	k, set := m.call, m.c.set
	client := set.In("http-clients", k.raw)
	if !client && !m.stranger() {
		return false
	}
	method := ""
	for i := range k.options {
		if o := &k.options[i]; o.has && set.In("options-of-method", o.name) {
			method = strings.ToUpper(o.value)
		} else if set.In("options-of-body", o.name) && method == "" && client {
			method = "POST"
		}
	}
	for _, i := range k.operands {
		if w := k.cmd.Args[i].Text; set.In("http-methods", w) || client && set.In("http-methods", strings.ToUpper(w)) {
			method = strings.ToUpper(w)
			break
		}
	}
	if method == "" && set.In("clients-by-fields", k.raw) && m.sendsFields() {
		method = "POST"
	}
	if method == "" || set.In("methods-reading", method) || client && k.givenOf(set.members("options-asking")) {
		return false
	}
	asks := func(w *shell.Word, option string) bool {
		text, known := strings.TrimPrefix(w.Text, option+"="), strings.TrimPrefix(w.Prefix(), option+"=")
		if w.Kind != shell.Literal && hostUnknown(known) {
			return client && method != "POST"
		}
		host, path, ok := m.elsewhere(text)
		return ok && (strings.Contains(text, "://") || client) && (method != "POST" || m.postActs(host, path, m.wordsSent()))
	}
	places := k.operands
	if client {
		places = m.hosts()
	}
	return slices.ContainsFunc(places, func(i int) bool { return asks(&k.cmd.Args[i], "") }) ||
		slices.ContainsFunc(k.options, func(o option) bool {
			return o.has && set.In("options-of-address", o.name) && asks(&k.cmd.Args[o.word], o.name)
		})
}

// sendsFields reports a field of what is sent behind the address, as HTTPie takes them: name=x, on:=true, photo@x.png. A header is name:x, a
// parameter of the address name==x.
func (m *match) sendsFields() bool {
	for n := 1; n < len(m.call.operands); n++ {
		word := m.call.operand(n)
		at := strings.IndexAny(word, ":=@")
		if at < 1 {
			continue
		}
		next := word[at+1:]
		switch word[at] {
		case '=':
			if !strings.HasPrefix(next, "=") {
				return true
			}
		case ':':
			if strings.HasPrefix(next, "=") {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// wordsSent is all that a client is told: as an option's value, as a field among its words, or by its input.
func (m *match) wordsSent() string {
	k := m.call
	var b strings.Builder
	for i := range k.cmd.Args {
		b.WriteString(k.cmd.Args[i].Text)
	}
	if in := k.cmd.Stdin; in != nil {
		b.WriteString(in.Text.Text)
	}
	return b.String()
}

// hostUnknown reports the known beginning of an address that does not tell the whole host: "https://", "https://api.".
func hostUnknown(beginning string) bool {
	if _, rest, ok := strings.Cut(beginning, "://"); ok {
		beginning = rest
	}
	return !strings.ContainsAny(beginning, "/?#:=") // a field of a form is none
}

// codeRequestsChange reports a one-line program with such a request.
func (m *match) codeRequestsChange() bool {
	const short = 1 << 10 // bytes
	text, set := m.call.programText(), m.c.set
	if text == "" || len(text) > short {
		return false
	}
	changes, posts := set.mentions("code-request-changes", text), set.mentions("code-request-posts", text)
	if !changes && !posts {
		return false
	}
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("'\"` ,()", r) }) {
		host, path, ok := m.elsewhere(piece)
		if ok && strings.Contains(piece, "://") && (changes || m.postActs(host, path, text)) {
			return true
		}
		if ok && changes && set.mentions("code-connects-by-host", text) {
			return true
		}
	}
	return false
}

// codeUploads reports a one-line program that puts a file into a request to another machine. What such files hold is a request's body, where
// their names say so.
func (m *match) codeUploads() bool {
	const short = 1 << 10 // bytes
	text, set := m.call.programText(), m.c.set
	if text == "" || len(text) > short || !set.mentions("code-uploads", text) || !set.mentions("code-request-posts", text) && !set.mentions("code-request-puts", text) {
		return false
	}
	away := false
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("'\"` ,()", r) }) {
		if set.members("request-bodies").Meets(func(name string) bool { return glob(name, strings.ToLower(path.Base(piece))) }) {
			if abs, known := m.c.absolute(m.call, piece); !known || !m.c.keptData(abs) {
				return false
			}
		}
		_, _, ok := m.elsewhere(piece)
		away = away || ok && strings.Contains(piece, "://")
	}
	return away
}

// runsBrought reports a file by its path that is run through sudo or the like, where a call before it clones or unpacks something.
func (m *match) runsBrought() bool {
	c, k := m.c, m.call
	if !slices.ContainsFunc(k.cmd.Via, func(s shell.Step) bool { return c.set.In("raises-rights", s.Name) }) {
		return false
	}
	if !slices.ContainsFunc(k.effects, func(e effect) bool {
		return e.kind&rule.Run != 0 && e.known && strings.Contains(e.text, "/") && c.locate(k, &e).Class&rule.System == 0
	}) || !c.spend(k.index) {
		return false
	}
	return slices.ContainsFunc(c.calls[:k.index], func(p call) bool {
		return c.set.members("brings-programs").Meets(func(words string) bool {
			name, sub, _ := strings.Cut(words, " ")
			return p.name == name && (sub == "" || p.sub(sub, nil))
		})
	})
}
