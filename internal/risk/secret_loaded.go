package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// A line that reads a file with credentials into variables (". ./.env", "export $(cat .env | xargs)", "dotenv -- …") hands its values to all
// that stands behind. Programs need them there. What matters is where a value goes: as the caller's own credential, in a header or as
// user and password, it is what it is for; in an address, a body, the name of a host, an issue or a commit's message it leaks.

// variableFilter tells names of variables whose value must not leak.
type variableFilter func(name string) bool

// loadedNames tells the variables of a call that a file with credentials gave a secret, on the line itself; nil where it read none.
func (c *checker) loadedNames(k *call) variableFilter {
	files, loads := c.loads(k)
	if !loads {
		return nil
	}
	return func(name string) bool {
		known := len(files) > 0
		for _, file := range files {
			secret, told := c.assigns(file, name)
			if secret {
				return true
			}
			known = known && told
		}
		return !known && (c.credentialName(name) || c.ends("credential-endings-printed", name))
	}
}

// loader is a call that reads a file with credentials into variables, for those behind it, or for what it runs.
type loader struct {
	at    int    // index of the call
	file  string // "" where it is not known
	inner bool   // for what it runs alone: docker run --env-file .env image sh -c …
	from  *call  // the call whose words are what other programs print of such a file
}

// loads lists the files with credentials that are read into the variables of a call, as far as their names are known.
func (c *checker) loads(k *call) (files []string, loads bool) {
	if !c.loadersKnown {
		c.loadersKnown = true
		c.findLoaders()
	}
	here := match{c: c, call: k}
	loads = here.reachedBy("runs-with-env-file") || k.givenOf(c.set.members("options-requiring-dotenv"))
	for _, l := range c.loaders {
		if l.at < k.index && (!l.inner || len(k.cmd.Via) > 0) || l.at == k.index && l.inner {
			loads = true
			if l.file != "" {
				files = append(files, l.file)
			}
		}
	}
	return files, loads
}

// findLoaders goes through the line once.
func (c *checker) findLoaders() {
	for i := range c.calls {
		p := &c.calls[i]
		add := func(file string, inner bool) { c.loaders = append(c.loaders, loader{p.index, file, inner, p}) }
		switch {
		case p.raw == "source" || p.raw == ".":
			for j := range p.effects {
				if e := &p.effects[j]; e.kind&rule.Run != 0 {
					if t := c.locate(p, e); t.Names&rule.Secret != 0 || c.copied(p, t.Path) {
						add(t.Path, false)
					}
				}
			}
			if c.wordsFrom(p, c.touchesSecret) {
				add("", false)
			}
		case c.set.In("sets-variables", p.raw):
			if c.wordsFrom(p, c.touchesSecret) {
				add("", false)
			}
		case c.assignsFrom(p, c.touchesSecret):
			add("", true)
		}
		for j := range p.options {
			if o := &p.options[j]; o.has && c.set.In("options-loading", o.name) && c.names(o.value, false)&rule.Secret != 0 {
				if file, ok := c.absolute(p, o.value); ok {
					add(file, true)
				}
			}
		}
	}
}

// reachedBy reports that a program of a group, with its subcommand, runs the call.
func (m *match) reachedBy(group string) bool {
	return slices.ContainsFunc(m.call.cmd.Via, func(s shell.Step) bool { return m.c.set.In(group, s.Name) })
}

// assigns tells whether a file of assignments gives a name a secret. told is false where the file is not read.
func (c *checker) assigns(file, name string) (secret, told bool) {
	if c.in.Settings == nil || !c.spend(costSettings) {
		return false, false
	}
	text, there := c.in.Settings(file)
	if !there || len(text) > maxLooked || !c.spend(len(text)/textBytes) {
		return false, false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		if is, _, ok := strings.Cut(line, "="); ok && strings.TrimSpace(is) == name && (c.set.Holds(line) || c.credentialName(name) && c.set.Mask(line) != line) {
			return true, true
		}
	}
	return false, true
}

// leaks reports that a call is given the value of such a variable for anything but the caller's own credential: as a word, by a pipe, or
// in a here-document. With own a service may get in its address what is named after it: some take their token there.
func (m *match) leaks(is variableFilter, own bool) bool {
	c, k := m.c, m.call
	if is == nil || k.isOf(c.set, "keeps-secrets") {
		return false
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		if m.leaksIn(i, is, own) {
			return true
		}
	}
	if k.givenOf(c.set.members("takes-password")) {
		return false
	}
	if in := k.cmd.Stdin; in != nil && holdsVariable(&in.Text, is) {
		return true
	}
	named := func(p *call) bool {
		shown := c.set.In("shows-words", p.raw) || p.raw == "printenv"
		for i := 1; shown && i < len(p.cmd.Args); i++ {
			if holdsVariable(&p.cmd.Args[i], is) || p.raw == "printenv" && is(p.cmd.Args[i].Text) {
				return true
			}
		}
		return false
	}
	if c.upstream(k, make([]bool, len(c.calls)), named) {
		return true
	}
	for i := 1; i < len(k.cmd.Args); i++ {
		if !m.givesCredential(i) && c.wordFrom(&k.cmd.Args[i], named) {
			return true
		}
	}
	return false
}

// leaksIn is leaks for one argument.
func (m *match) leaksIn(i int, is variableFilter, own bool) bool {
	w := &m.call.cmd.Args[i]
	if m.givesCredential(i) {
		return false
	}
	for j := range w.Parts {
		name := variableOf(&w.Parts[j])
		if name != "" && is(name) && !m.isAddress(i, j, name) && !isLogin(w, j) && !(own && m.ownService(i, name)) {
			return true
		}
	}
	return false
}

// isAddress reports that a variable is where the request goes: "$API_URL/orders".
func (m *match) isAddress(i, j int, name string) bool {
	w := &m.call.cmd.Args[i]
	if j > 0 || !slices.Contains(m.hosts(), i) || !m.c.ends("address-endings", name) {
		return false
	}
	return len(w.Parts) == 1 || !w.Parts[1].Unknown && w.Parts[1].Text != "" && strings.ContainsRune("/?:#", rune(w.Parts[1].Text[0]))
}

// isLogin reports a part that stands in front of the host of an address: https://x:$TOKEN@host/.
func isLogin(w *shell.Word, j int) bool {
	before := ""
	for i := range w.Parts[:j] {
		before += w.Parts[i].Text
	}
	_, before, ok := strings.Cut(before, "://")
	if !ok || strings.ContainsAny(before, "/?#") {
		return false
	}
	for i := j + 1; i < len(w.Parts); i++ {
		if text := w.Parts[i].Text; !w.Parts[i].Unknown {
			at, end := strings.IndexByte(text, '@'), strings.IndexAny(text, "/?#")
			if at >= 0 || end >= 0 {
				return at >= 0 && (end < 0 || at < end)
			}
		}
	}
	return false
}

// ownService reports that a variable is named after the service that is asked, by the name that it has registered: TELEGRAM_BOT_TOKEN
// goes to api.telegram.org.
func (m *match) ownService(i int, name string) bool {
	service, _, more := strings.Cut(strings.ToLower(name), "_")
	for _, n := range append([]int{i}, m.hosts()...) {
		if host, ok := hostOf(&m.call.cmd.Args[n]); ok {
			return more && registered(host) == service
		}
	}
	return false
}

// registered is the label of a host's name in front of its last one: of api.stripe.com "stripe".
func registered(host string) string {
	labels := strings.Split(strings.ToLower(host), ".")
	if len(labels) < 2 {
		return ""
	}
	return labels[len(labels)-2]
}

// variableOf is the name of the variable whose value a part is, "" where it is none. "${K:+set}" tells nothing of it.
func variableOf(p *shell.Part) string {
	name, ok := strings.CutPrefix(p.Text, "$")
	if !ok || !p.Unknown || strings.Contains(p.Text, ":+") {
		return ""
	}
	name = strings.TrimPrefix(name, "{")
	end := 0
	for end < len(name) && wordByte(name[end]) {
		end++
	}
	return name[:end]
}

// codeLeaks reports a short program that makes a request to another machine and has such a variable of its environment in it, where no
// header or login is being written.
func (m *match) codeLeaks(is variableFilter) bool {
	const short = 1 << 10 // bytes of a program
	c, text := m.c, m.call.programText()
	if is == nil || len(text) > short || !strings.Contains(text, "http") || strings.Contains(text, "://localhost") || strings.Contains(text, "://127.") || !c.set.mentions("code-requests", text) {
		return false
	}
	return c.readsVariable(text, is)
}

// readsVariable reports a program that reads such a variable of the environment, and not for a header or a login.
func (c *checker) readsVariable(text string, is variableFilter) bool {
	return c.variablesRead(text, func(name, before string) bool { return is(name) && !c.set.mentions("code-gives-credential", before) })
}

// variablesRead goes through the variables of the environment that a program reads, with what stands in front of each, until one is as asked.
func (c *checker) variablesRead(text string, is func(name, before string) bool) bool {
	const far = 96 // bytes in front of a variable in which a program says what it is for
	for reads := range c.set.words("code-reads-variable") {
		for at := 0; ; {
			i := strings.Index(text[at:], reads)
			if i < 0 {
				break
			}
			before := text[max(0, at+i-far) : at+i]
			at += i + len(reads)
			name := strings.TrimLeft(text[at:], `'"`)
			end := 0
			for end < len(name) && wordByte(name[end]) {
				end++
			}
			if is(name[:end], before[strings.LastIndexAny(before, ";\n")+1:]) {
				return true
			}
		}
	}
	return false
}
