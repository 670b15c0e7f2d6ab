package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Program text that names the guard's own things.

// codeNamesGuard looks for text in quotes that names one of the guard's own things, in a
// short program with a word that changes files. What a call does that the tables know is
// judged by what it amounts to; this is for those that they do not know.
func (m *match) codeNamesGuard() bool {
	const short = 4 << 10 // bytes
	text := m.call.programText()
	if text == "" || len(text) > short || !m.c.set.mentions("code-changes-files", text) {
		return false
	}
	if !m.c.spend(len(text) / 16) {
		return false
	}
	for _, p := range quotedPaths(text) {
		if m.c.guardName(p) && m.reads(p) < max(1, strings.Count(text, p)) {
			m.detail = p
			return true
		}
	}
	return false
}

// codeResetsGit reports a short program that loads a library for Git and has a word with which
// those throw work away.
func (m *match) codeResetsGit() bool {
	const short = 16 << 10 // bytes
	text := m.call.programText()
	set := m.c.set
	return text != "" && len(text) <= short && set.mentions("git-libraries", text) && m.c.spend(len(text)/16) && set.mentions("git-library-destroys", text)
}

// reads counts the calls of a program that read a file and do nothing else to it, as far
// as the tables know them: such a call is a command of its own, of the same words.
func (m *match) reads(name string) (n int) {
	if !m.c.spend(len(m.c.calls) / 8) {
		return 0
	}
	for i := range m.c.calls[m.call.index:] {
		k := &m.c.calls[m.call.index+i]
		if at := k.cmd.Span; at[0] >= m.call.cmd.Span[0] && at[1] <= m.call.cmd.Span[1] && m.c.set.In("shows-files", k.name) && len(k.operands) == 1 && k.operand(0) == name {
			n++
		}
	}
	return n
}

// guardName reports a path, perhaps without its beginning, of one of the guard's own
// things: "/.config/moai/x", ".local/bin/moai", "~/.claude/settings.json".
func (c *checker) guardName(p string) bool {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && c.in.Home != "" {
		p = c.in.Home + "/" + rest
	}
	all, n := c.guarded()
	for i, own := range all {
		// The folder above is part of it: "moai" alone is a word like others.
		end := own[strings.LastIndexByte(path.Dir(own), '/')+1:]
		if c.equal(p, own) || strings.HasSuffix(p, "/"+end) || p == end {
			return true
		}
		if i >= n && (within(p, end) || within(p, strings.TrimPrefix(own, "/"))) {
			return true
		}
	}
	if strings.Contains(path.Dir(p)+"/", "bin/") && c.ownProgram(p) && !strings.HasPrefix(p, "bin/") {
		return true
	}
	if c.names(p, false)&rule.Guard != 0 {
		return true
	}
	return c.names(p, false)&rule.Agent != 0 && (c.in.Registers == nil || c.in.Registers(c.cleaned(c.in.Dir+"/"+p)) || c.in.Registers(p))
}

// quotedPaths lists what stands in quotes in a program and may be a path. Pieces with
// nothing but a comma, a plus or a slash between them are joined: 'a', 'b' is a/b.
func quotedPaths(text string) (list []string) {
	joined, last := "", -1
	flush := func() {
		if joined != "" {
			list = append(list, joined)
		}
		joined = ""
	}
	for i := 0; i < len(text) && len(list) < 64; i++ {
		q := text[i]
		if q != '\'' && q != '"' && q != '`' {
			continue
		}
		end := strings.IndexByte(text[i+1:], q)
		if end < 0 {
			break
		}
		piece := text[i+1 : i+1+end]
		between := ""
		if last >= 0 {
			between = strings.Trim(text[last:i], " \t")
		}
		switch {
		case strings.ContainsAny(piece, " \t\n<>"):
			flush()
			last, i = -1, i+1+end
			continue
		case joined != "" && (between == "," || between == "/" || between == "+"):
			list = append(list, joined) // they may be two names as well
			joined = strings.TrimSuffix(joined, "/") + "/" + strings.TrimPrefix(piece, "/")
		default:
			flush()
			joined = piece
		}
		list = append(list, piece)
		i += 1 + end
		last = i + 1
	}
	flush()
	return list
}
