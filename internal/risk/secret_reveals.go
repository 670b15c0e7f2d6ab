package risk

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// A file with credentials is read by more than its name: by a pattern (cat .*), by a search or a list that has it (find . | xargs cat), and by
// a search for text that finds a line in it (grep -rn STRIPE_KEY .). Which files there are is looked up, within the bounds of secretsBelow, so
// that only a line which really shows a secret is asked about.

// readsAmong reports files that are found and then read, with such a file among them.
func (m *match) readsAmong(e *effect) bool {
	c, k := m.c, m.call
	if k.away() || k.tool || e.known && !e.glob || k.cmd.Substituted || e.word.Fresh() || m.hidden() {
		return false
	}
	dir, ok := c.absolute(k, ".")
	if !ok {
		return false
	}
	t := c.locate(k, e)
	search := m.searcher(e)
	lists := m.listTexts(e)
	picked, whole := m.listedIn(e)
	found := c.secretsBelow(dir, func(p, rel string) bool {
		if !c.spend(costPlace) || !c.showsOf(k, p) {
			return false
		}
		switch {
		case e.known || !strings.Contains(e.text, "…") && search == nil && strings.ContainsAny(t.Pattern, "*?["):
			return c.patternTakes(t.Pattern, p, false)
		case picked != "": // for f in .*
			return c.patternTakes(picked, p, false)
		case whole != "": // os.listdir('.')
			return whole == path.Dir(p)
		case search != nil:
			return c.findsIn(search, p, false, true)
		}
		return m.inLists(lists, p, false) || m.listsFile(e, p) || m.listsFolder(e, p, rel)
	})
	m.detail = strings.Join(found, ", ")
	return len(found) > 0
}

// listedIn is the pattern that a loop of the shell runs over, or the folder of which a one-line program takes each name.
func (m *match) listedIn(e *effect) (pattern, dir string) {
	c := m.c
	if e.known || !e.word.Listed() {
		return "", ""
	}
	if !strings.Contains(e.text, "…") {
		if strings.ContainsAny(e.text, "*?[") {
			pattern, _ = c.absolute(m.call, e.text)
		}
		return pattern, ""
	}
	folder, is := strings.CutSuffix(e.text, "/…")
	if !is || m.lister(e, func(*call) bool { return true }) || c.picked.says(c, c.in.Command, c.set.members("code-picks")) {
		return "", ""
	}
	dir, _ = c.absolute(m.call, folder)
	return "", dir
}

// listsFolder reports a listing of the folder in which a file lies directly: ls -A.
func (m *match) listsFolder(e *effect, p, rel string) bool {
	c := m.c
	return m.lister(e, func(q *call) bool {
		if !c.set.In("lists-folders", q.raw) || c.filtered(q, p) || rel[0] == '.' && !q.givenOf(c.set.members("options-listing-hidden")) {
			return false
		}
		for _, i := range q.operands {
			if abs, ok := c.absolute(q, q.cmd.Args[i].Text); ok && abs == path.Dir(p) {
				return true
			}
		}
		return len(q.operands) == 0 && !strings.Contains(rel, "/")
	})
}

// hidden reports that what a call prints is seen by nobody: it goes into a file, or through a program that takes the values off or counts.
func (m *match) hidden() bool {
	c, k := m.c, m.call
	return c.endsWithout(k, make([]bool, len(c.calls))) || c.takesPassword(k.cmd.PipeTo, make([]bool, len(c.calls))) ||
		slices.ContainsFunc(k.cmd.Redirects, func(r shell.Redirect) bool { return (r.Fd == 1 || r.Fd == -1) && strings.Contains(r.Op, ">") })
}

// showsOf reports that a call shows a secret of a file that it reads: a search shows the lines that it finds.
func (c *checker) showsOf(k *call, p string) bool {
	if !c.set.In("searches-text", k.name) {
		return true
	}
	s := searchOf(c, k)
	return s != nil && s.shows(c, p)
}

// textSearch is a search for text, by grep or its like.
type textSearch struct {
	is             []*regexp.Regexp // nil among them: anything
	not, only      bool             // lines that do not fit; nothing but what fits
	hidden, others bool             // names with a dot, and what Git ignores, are gone into
	in, out        []string         // names that are looked at, and not
	forced         []string         // names that are looked at whatever the two say
}

// searchOf reads the words of a search; nil for one that prints no lines.
func searchOf(c *checker, k *call) *textSearch {
	if k.givenOf(c.set.members("options-listing-files")) || k.givenOf(c.set.members("options-printing-no-lines")) || len(k.operands) == 0 && len(k.options) == 0 {
		return nil
	}
	sub := k.subcommand(c.set)
	own := c.set.In("follows-gitignore", k.name) // they follow .gitignore, and read expressions as egrep does
	s := &textSearch{not: k.given([]string{"-v", "--invert-match"}), only: k.given([]string{"-o", "--only-matching"}), hidden: !own, others: !own}
	kind := byte('G')
	switch {
	case k.given([]string{"-F", "--fixed-strings"}) || c.set.In("greps-fixed", k.raw):
		kind = 'F'
	case own || k.givenOf(c.set.members("options-extended")) || c.set.In("greps-extended", k.raw):
		kind = 'E'
	}
	fold, word := k.given([]string{"-i", "--ignore-case"}), k.given([]string{"-w", "--word-regexp"})
	told := false
	bare := 0
	for i := range k.options {
		o := &k.options[i]
		switch {
		case c.set.In("options-of-pattern", o.name) && o.has:
			told = true
			s.is = append(s.is, expressionOf(o.value, kind, fold, word))
		case o.name == "-f" || o.name == "--file":
			told = true
			s.is = append(s.is, nil)
		case o.name == "--include":
			s.in = append(s.in, o.value)
		case o.name == "--exclude":
			s.out = append(s.out, o.value)
		case own && (o.name == "-g" || o.name == "--glob" || o.name == "--iglob"):
			if not, is := strings.CutPrefix(o.value, "!"); is {
				s.out = append(s.out, not)
			} else {
				s.forced = append(s.forced, o.value)
			}
		case own && (o.name == "-t" || o.name == "--type"):
			s.in = append(s.in, "*."+o.value) // near enough: no type has a name of these
		}
	}
	if own {
		for i := range k.cmd.Args {
			if text := k.cmd.Args[i].Text; strings.Trim(text, "u") == "-" { // -u, -uu, -uuu
				bare += len(text) - 1
			} else if text == "--unrestricted" {
				bare++
			}
		}
		s.others = bare > 0 || k.given([]string{"--no-ignore", "--no-ignore-vcs"})
		s.hidden = bare > 1 || k.given([]string{"-.", "--hidden"})
	}
	if sub > 0 { // git grep
		s.others = k.given([]string{"--no-exclude-standard"}) || k.given([]string{"--no-index"}) && !k.given([]string{"--exclude-standard"})
	}
	if !told && len(k.operands) > sub {
		s.is = append(s.is, expressionOf(k.operand(sub), kind, fold, word))
	}
	return s
}

// expressionOf makes an expression of grep's one of Go's; nil for what is none, which then finds anything. kind is 'F', 'E' or 'G'.
func expressionOf(text string, kind byte, fold, word bool) *regexp.Regexp {
	const long = 512
	if len(text) > long {
		return nil
	}
	switch kind {
	case 'F':
		text = regexp.QuoteMeta(text)
	case 'G': // of these a backslash makes signs, and none of them is one without
		var b strings.Builder
		for i := 0; i < len(text); i++ {
			ch := text[i]
			escaped := ch == '\\' && i+1 < len(text)
			if escaped {
				i++
				ch = text[i]
			}
			if escaped != (strings.IndexByte("+?(){}|", ch) >= 0) {
				b.WriteByte('\\')
			}
			b.WriteByte(ch)
		}
		text = b.String()
	}
	if word {
		text = `\b(?:` + text + `)\b`
	}
	if fold {
		text = `(?i)` + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return re
}

// looksAt reports a file that a search through its folder reads.
func (s *textSearch) looksAt(c *checker, p, rel string) bool {
	base := path.Base(p)
	fits := func(pattern string) bool { return glob(pattern, base) || glob(pattern, rel) }
	switch {
	case slices.ContainsFunc(s.out, fits), len(s.in) > 0 && !slices.ContainsFunc(s.in, fits):
		return false
	case len(s.forced) > 0:
		return slices.ContainsFunc(s.forced, fits)
	}
	return (s.hidden || rel[0] != '.' && !strings.Contains(rel, "/.")) && (s.others || c.in.Ignored == nil || !c.in.Ignored(p))
}

// shows reports that a search prints a line of a file with a secret in it.
func (s *textSearch) shows(c *checker, p string) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	text, there := c.in.Settings(p)
	if !there || len(text) > maxLooked || !c.spend(len(text)/textBytes) {
		return false
	}
	plain := c.keptKey(p) && c.set.Mask(text) == text // whatever it looks like
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		finds := slices.ContainsFunc(s.is, func(re *regexp.Regexp) bool {
			if re == nil || !s.only {
				return re == nil || re.MatchString(line)
			}
			found := re.FindString(line) // of "KEY=x" the name alone tells nothing
			_, value, ok := strings.Cut(found, "=")
			return ok && value != "" || c.set.Mask(found) != found
		})
		if finds != s.not && (plain || c.set.Mask(line) != line) {
			return true
		}
	}
	return false
}

// printsSecretLines reports a search for text through a folder that finds a line with a secret in it, in a file that is secret by its name.
func (m *match) printsSecretLines() bool {
	c, k := m.c, m.call
	var s *textSearch
	var dirs []string
	if k.tool {
		s, dirs = m.toolSearch()
	} else if k.away() || k.cmd.Substituted || m.hidden() || !c.set.In("follows-gitignore", k.name) && !k.givenOf(c.set.members("options-going-down")) && k.subcommand(c.set) == 0 {
		return false
	} else if s = searchOf(c, k); s != nil && len(k.cmd.PipeFrom) == 0 {
		from := k.subcommand(c.set) + 1
		if k.givenOf(c.set.members("options-of-pattern")) || k.given([]string{"-f", "--file"}) {
			from--
		}
		for _, i := range k.operands[min(from, len(k.operands)):] {
			dirs = append(dirs, k.cmd.Args[i].Text)
		}
		if len(dirs) == 0 {
			dirs = []string{"."}
		}
	}
	if s == nil {
		return false
	}
	for _, dir := range dirs {
		abs, ok := c.absolute(k, dir)
		if !ok {
			continue
		}
		found := c.secretsBelow(abs, func(p, rel string) bool { return s.looksAt(c, p, rel) && s.shows(c, p) })
		if len(found) > 0 {
			m.detail = strings.Join(found, ", ")
			return true
		}
	}
	return false
}

// toolSearch is the search of a client's own tool, which goes into what begins with a dot and follows .gitignore.
func (m *match) toolSearch() (s *textSearch, dirs []string) {
	args, _ := m.c.args.(map[string]any)
	text := func(name string) string { v, _ := args[name].(string); return v }
	if text("outputmode") != "content" {
		return nil, nil
	}
	fold, _ := args["i"].(bool)
	s = &textSearch{is: []*regexp.Regexp{expressionOf(text("pattern"), 'E', fold, false)}, hidden: true}
	if g := text("glob"); g != "" {
		s.forced = append(s.forced, g)
	}
	if t := text("type"); t != "" {
		s.in = append(s.in, "*."+t)
	}
	if dirs = []string{text("path")}; dirs[0] == "" {
		dirs[0] = "."
	}
	return s, dirs
}

// holdsSecret reports that the file of an effect is there and holds a secret.
func (m *match) holdsSecret(e *effect) bool {
	p := m.c.locate(m.call, e).Path
	return e.known && !m.call.away() && m.c.keepsText(p)
}

// keepsText is keepsSecret for a file of which most hold none: what cannot be read as text does not.
func (c *checker) keepsText(p string) bool {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false
	}
	text, there := c.in.Settings(p)
	return there && len(text) <= maxLooked && c.spend(len(text)/textBytes) && strings.IndexByte(text, 0) < 0 && c.set.Holds(text)
}

// beginsAsKey reports a file that begins with what is certainly a key, whatever it is called: a private key, the account of a service. Text of
// programs is not looked into, and neither are examples.
func (m *match) beginsAsKey(e *effect) bool {
	c := m.c
	if c.in.Head == nil || !e.known || m.call.away() || c.set.Keys == nil {
		return false
	}
	t := c.locate(m.call, e)
	if t.Class&(rule.Unknown|rule.Device) != 0 || c.set.Keys.Source(t.Path) || c.set.members("folders-of-examples").Meets(func(dir string) bool { return strings.Contains(t.Path, "/"+dir+"/") }) {
		return false
	}
	head := c.in.Head(t.Path) // whose cost is counted there
	return head != "" && c.spend(1+len(head)/textBytes) && len(c.set.Secrets(head)) > 0
}

// traced reports that a file with credentials is read by a shell that prints each line that it runs: set -x; . ./.env.
func (m *match) traced() bool {
	c, k := m.c, m.call
	if !slices.ContainsFunc(k.effects, func(e effect) bool { return e.kind&rule.Run != 0 && c.locate(k, &e).Names&rule.Secret != 0 }) {
		return false
	}
	on := false
	for i := range c.calls[:min(k.index, len(c.calls))] {
		p := &c.calls[i]
		sets := c.set.In("sets-options", p.raw)
		if !sets && !(c.set.shell(p.name) && len(k.cmd.Via) > 0) {
			continue
		}
		for _, w := range p.cmd.Args[1:] {
			switch text := w.Text; {
			case len(text) < 2 || strings.ContainsAny(text, " \n"):
			case text[0] == '-' && text[1] != '-' && strings.Contains(text, "x"), text == "xtrace" && !sets:
				on = true
			case text[0] == '+' && strings.Contains(text, "x"):
				on = false
			}
		}
	}
	return on
}

// composesSecret reports that settings are printed with what a file of assignments in that folder holds.
func (m *match) composesSecret() bool {
	dir, ok := m.c.absolute(m.call, ".")
	if !ok || m.call.away() {
		return false
	}
	found := m.c.secretsBelow(dir, func(_, rel string) bool { return !strings.Contains(rel, "/") && m.c.holdsAssignments(rel) })
	m.detail = strings.Join(found, ", ")
	return len(found) > 0
}

// comparesSecrets reports a folder among the operands in which such a file lies.
func (m *match) comparesSecrets() bool {
	for _, i := range m.call.operands[min(m.skip, len(m.call.operands)):] {
		if dir, ok := m.c.absolute(m.call, m.call.cmd.Args[i].Text); ok && !m.hidden() {
			if found := m.c.secretsBelow(dir, func(_, _ string) bool { return true }); len(found) > 0 {
				m.detail = strings.Join(found, ", ")
				return true
			}
		}
	}
	return false
}
