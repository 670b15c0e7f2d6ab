package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What has the shape of a loss and is everyday work: build products, data made for
// tests, one's own development server, what is not there at all. A guard that stops
// these is switched off.

// fromExample is the file that a call makes from its example: the way every project with a .env.example begins.
func (m *match) fromExample() (abs string, ok bool) {
	k := m.call
	if k.name != "cp" && k.name != "install" || len(k.operands) != 2 || !m.c.ends("example-endings", strings.ToLower(k.operand(0))) {
		return "", false
	}
	return m.c.absolute(k, k.operand(1))
}

// copiesExample reports that a file which is not there yet, or is its example to the letter, is made from that.
func (m *match) copiesExample() bool {
	c, k := m.c, m.call
	abs, ok := m.fromExample()
	if !ok || c.absent(k, abs) || c.in.Exists != nil && !c.in.Exists(abs) {
		return ok
	}
	example, ok := c.absolute(k, k.operand(0))
	if !ok || c.in.Settings == nil || !c.spend(2*costSettings) {
		return false
	}
	text, there := c.in.Settings(example)
	now, is := c.in.Settings(abs)
	return there && is && text == now
}

// throwAwayData reports a database that is made for tests, or in memory or a temporary
// file: the name of the database says so, or a variable that frameworks read.
func (m *match) throwAwayData() bool {
	k := m.call
	if production(m.call) {
		return false
	}
	// A client of databases is told the name; a framework's tasks read a variable.
	if len(m.rule.When.Sub) > 0 {
		return m.testEnvironment()
	}
	if m.dropsTestData() {
		return true
	}
	if k.texts(func(text string) bool {
		return m.c.says([]string{"DROP DATABASE|ROLE|USER|TABLESPACE|OWNED"}, text) || m.c.budget.Over()
	}) {
		return false // reaches beyond the database that it is said in
	}
	named := false
	for i := range k.options {
		if o := &k.options[i]; m.c.set.In("options-of-database", o.name) {
			if !m.c.testName(o.value) {
				return false
			}
			named = true
		}
	}
	// Behind such an option, the operand is something else: for psql the user.
	if named || len(k.operands) == 0 {
		return named
	}
	w := &k.cmd.Args[k.operands[0]] // what follows the name is a statement
	if w.Kind != shell.Literal {
		return false
	}
	e := effect{kind: rule.Write, word: w, text: w.Text, known: true}
	return w.Text == ":memory:" || m.c.testName(w.Text) || strings.HasPrefix(w.Text, "/") && m.c.placeOf(k, &e).Class&rule.Temp != 0
}

// namesDatabase reports a client of databases that is told which one, or on which machine: by an operand, an option or a variable. Without,
// it is the one that bears the user's name.
func (m *match) namesDatabase() bool {
	c, k := m.c, m.call
	if len(k.operands) > 0 || k.givenOf(c.set.members("options-of-database")) {
		return true
	}
	for i := range k.options {
		if o := &k.options[i]; o.has && c.set.In("options-of-host", o.name) && !c.set.isLocal(o.value) {
			return true
		}
	}
	return slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool {
		return c.set.In("variables-of-database", a.Name) && !c.testName(a.Value.Text) || c.set.In("variables-of-host", a.Name) && !c.set.isLocal(a.Value.Text)
	})
}

// dropsTestData reports that all that is said is that databases go whose own names say that they are for tests: it does not
// matter then from which database it is said.
func (m *match) dropsTestData() bool {
	said := false
	other := m.call.texts(func(text string) bool {
		for _, words := range statements(text) {
			said = true
			drop := phraseOf("^ DROP DATABASE *")
			steps := maxStars
			if n := len(words); n != 3 && (n != 5 || !strings.EqualFold(words[3], "exists")) || !drop.fits(words, &steps) || !m.c.testName(words[n-1]) {
				return true
			}
		}
		return !m.c.spend(1 + len(text)/textBytes)
	})
	return said && !other
}

// testEnvironment reports a framework's task that is told to work on what is there for tests: by a variable of the environment, an
// option for it, or the address of a database whose name says so.
func (m *match) testEnvironment() bool {
	k, set := m.call, m.c.set
	if production(k) {
		return false
	}
	test := func(value string) bool { return set.In("test-environments", value) }
	tests := func(value string) bool { // config.settings.test, .env.test
		return test(value) || m.c.holdsWord(value, "test-environments") && !m.c.holdsWord(value, "live-names")
	}
	for i := range k.cmd.Assigns {
		a := &k.cmd.Assigns[i]
		_, database, address := strings.Cut(withoutDomain(a.Value.Text), "://")
		switch {
		case set.In("environment-variables", a.Name) && test(a.Value.Text), set.In("variables-of-tests", a.Name) && a.Value.Kind == shell.Literal && tests(a.Value.Text):
			return true
		case address && a.Value.Kind == shell.Literal && m.c.testName(database[strings.LastIndexByte(database, '/')+1:]):
			return true
		}
	}
	for i := range k.cmd.Args {
		w := &k.cmd.Args[i]
		if _, database, address := strings.Cut(withoutDomain(w.Text), "://"); address && w.Kind == shell.Literal {
			database, _, _ = strings.Cut(database, "?")
			if m.c.testName(database[strings.LastIndexByte(database, '/')+1:]) {
				return true
			}
		}
		name, value, joined := strings.Cut(w.Text, "=")
		if set.In("options-of-environment", name) && (joined && tests(value) || !joined && i+1 < len(k.cmd.Args) && tests(k.cmd.Args[i+1].Text)) {
			return true
		}
	}
	return false
}

// testName reports a name with the word test or one of its kind in it, and none of what
// users work with: app_test, test-db, scratch.sqlite, not live_test.
func (c *checker) testName(s string) bool {
	s = withoutDomain(s)
	return c.holdsWord(s, "throw-away-names") && !c.holdsWord(s, "live-names")
}

// holdsWord reports a whole word of a group in a name: shop-dev, APP_ENV=dev, test2.
func (c *checker) holdsWord(s, group string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if c.set.In(group, strings.Trim(word, "0123456789")) {
			return true
		}
	}
	return false
}

// namesStage reports a call whose words or variables name a place where things are tried out before users get them.
func (m *match) namesStage() bool {
	k, text := m.call, false // what stands behind an option for a text is no place
	says := func(w shell.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		told := text || name != w.Text && m.c.set.In("options-of-texts", name)
		text = m.c.set.In("options-of-texts", w.Text)
		return !told && m.c.holdsWord(saysOf(w.Text), "stages")
	}
	return !production(k) && (slices.ContainsFunc(k.cmd.Args[min(1, len(k.cmd.Args)):], says) ||
		slices.ContainsFunc(k.cmd.Assigns, func(a shell.Assign) bool { return m.c.holdsWord(a.Value.Text, "stages") }))
}

// saysOf is what a word says where it is an option: its value, and of its name the last part. "--local_dir x" is about a folder.
func saysOf(word string) string {
	name, value, _ := strings.Cut(word, "=")
	if !strings.HasPrefix(word, "-") {
		return word
	}
	return name[strings.LastIndexAny(name, "-_")+1:] + " " + value
}

// throwAwayStore is throwAwayData for key-value stores: the last numbered database of a
// Redis on this machine is where test suites work by convention. What reaches beyond
// one database is not excused by its number.
func (m *match) throwAwayStore() bool {
	k := m.call
	if !k.given([]string{"-n=15"}) || k.givenBut(m.c.set.members("options-of-another-store").All(), rule.NewTexts("-n=15", "-h=localhost", "-h=127.0.0.1")) {
		return false
	}
	return !k.texts(func(text string) bool { return !m.c.says([]string{"^ FLUSHDB"}, text) })
}

// developmentServer reports that what pkill or killall ends is the agent's own server: every
// alternative of the pattern names one, a script, or a program together with what it was
// told. A bare "node" would end the agent itself.
func (m *match) developmentServer() bool {
	k := m.call
	if k.givenOf(m.c.set.members("options-of-others-processes")) {
		return false
	}
	if k.raw != "pkill" || !k.given([]string{"-f", "--full"}) { // by the name of the program alone
		return len(k.operands) > 0 && !m.anyOperand(func(name string) bool { return !m.c.set.In("development-servers", name) && !m.ownProgram(name) })
	}
	return len(k.operands) == 1 && (m.ownByPattern(k.operand(0)) || m.ownProgram(strings.TrimPrefix(k.operand(0), "./")))
}

// ownByPattern reports a pattern over whole command lines that fits nothing but the agent's own servers.
func (m *match) ownByPattern(text string) bool {
	for pattern := range strings.SplitSeq(text, "|") {
		words := strings.Fields(strings.Trim(pattern, "()^$\\"))
		if len(words) == 0 {
			return false
		}
		first, _, more := strings.Cut(words[0][strings.LastIndexByte(words[0], '/')+1:], ".*")
		switch {
		case m.c.set.In("development-servers", first):
		case (len(words) > 1 || more) && (m.c.set.In("runs-scripts", first) || len(first) >= shortName && !m.c.set.In("runs-everywhere", first)):
			// "node server.js", "tunnel.*--config.*dev": a program together with what it was told
		case slices.ContainsFunc(words, m.namesScript):
		default:
			return false
		}
	}
	return true
}

// shortName is the length from which a name is hardly part of another program's.
const shortName = 5

// namesScript reports a word of a pattern that is the name of a script, such as nobody but a project has.
func (m *match) namesScript(word string) bool {
	name := strings.TrimRight(word[strings.LastIndexByte(word, '/')+1:], "$")
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && !strings.ContainsAny(name, "*+?[") && m.c.set.In("ends-of-scripts", name[dot:])
}

// convertsKey reports that openssl writes a key to another file in another form, and
// none of it to the screen.
func (m *match) convertsKey() bool {
	k := m.call
	if k.name != "openssl" || !k.given([]string{"-out"}) || k.given([]string{"-text"}) || k.givenOf(m.c.set.members("openssl-shows")) {
		return false
	}
	_, ok := k.anySub(m.c.set.members("openssl-converts"))
	return ok
}

// nothingThere reports that a path inside the project is that of nothing, and that no
// command before it on the line may have brought something there: a snapshot before a
// delete of nothing is noise. Where the project itself is not on this machine, nothing
// can be told.
func (m *match) nothingThere(e *effect) bool {
	c, k := m.c, m.call
	t := c.locate(k, e)
	if c.in.Exists == nil || !e.known || k.away() || t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 {
		return false
	}
	place, text := t.Path, e.text
	if e.glob && c.fitsNothing(k, e.text) {
		place, text = c.in.Root+"/"+e.text, "." // no file has such a name
	} else if e.glob {
		// What fits could be looked up, but one question has to do: is there a folder?
		var ok bool
		text, _ = c.globBase(e.text)
		if place, ok = c.absolute(k, text); !ok || text == "." || strings.ContainsAny(e.text, "(!") {
			return false
		}
	}
	if text[0] == '~' || strings.ContainsAny(text, `*?[:\`) {
		return false // a home, a pattern that the program itself reads, a place of Windows
	}
	if c.in.Exists(place) || !c.in.Exists(c.in.Root) || c.blank() {
		return false
	}
	before := c.calls[:min(k.index, len(c.calls))]
	c.spend(len(before) / costCalls)
	for i := range before {
		if p := &c.calls[i]; p.name == "git" && !p.isOf(c.set, "changes-no-file-by-words") || p.kinds&(rule.Move|rule.Link) != 0 || p.name == "" && len(p.cmd.Args) > 0 {
			return false
		}
	}
	return true
}

// blank reports a project with nothing in it but what begins with a dot. That something
// is not there tells nothing then: it is a place for trying lines out, and whoever does
// wants to hear what the guard would say where there is something.
func (c *checker) blank() bool {
	if c.in.Names == nil {
		return false
	}
	names, ok := c.in.Names(c.in.Root + "/*")
	return ok && len(names) == 0
}

// fetchesCertificate reports a download of a .pem file: what anybody can fetch is a
// certificate, and no key.
func (m *match) fetchesCertificate() bool {
	k := m.call
	if !m.c.downloads(k) {
		return false
	}
	for i := range k.effects {
		if e := &k.effects[i]; e.kind&rule.Write != 0 && m.c.names(e.text, false)&(rule.Key|rule.Secret|rule.SecretDir) != 0 && !strings.HasSuffix(e.text, ".pem") {
			return false
		}
	}
	return true
}

// intoEnvironment reports that what a call reads becomes variables and is not shown:
// export $(grep -v '^#' .env | xargs), which is "source .env" for files without quotes.
func (m *match) intoEnvironment() bool {
	c, k := m.c, m.call
	if !k.cmd.Substituted || !c.set.In("text-filters", k.raw) {
		return false
	}
	loud := func(p *call) bool { return !c.set.In("text-filters", p.raw) || p.kinds&(rule.Write|rule.Append) != 0 }
	if !c.spend(len(c.calls) / costCalls) {
		return false
	}
	for i := range c.calls {
		q := &c.calls[i]
		same := func(p *call) bool { return p == k }
		if q.raw == "export" && c.wordsFrom(q, same) && !c.wordsFrom(q, loud) {
			// export K=$(cat .env | cut -d= -f2); echo $K
			return !slices.ContainsFunc(c.calls[q.index:], func(p call) bool {
				return c.set.In("shows-words", p.raw) && !p.cmd.Substituted && c.wordsFrom(&p, same)
			})
		}
		// env $(cat .env | xargs) npm start
		if !c.printsEnvironment(q) && c.assignsFrom(q, func(p *call) bool { return p == k }) && !c.assignsFrom(q, loud) {
			return true
		}
	}
	return false
}

// operationWaits reports that a rebase, a merge or another operation of Git's waits to be finished where a call works. Where
// nobody can tell, none does: the call is an everyday one.
func (m *match) operationWaits() bool {
	return m.c.in.Waiting != nil && !m.call.away() && m.c.in.Waiting(m.worksIn())
}

// unlogged reports that a call moves HEAD where no log will tell where it stood: settings switch logs off. A switch loses nothing that a
// branch has.
func (m *match) unlogged() bool {
	in := m.c.in.Unlogged
	return in != nil && !m.call.away() && in(m.worksIn(), !m.call.sub("reset", nil))
}

// leavesCommits reports that HEAD, which is on no branch, moves away from commits that no reference leads to: those that are there, or those
// that the line has made on its way. Files that were never committed before are among these.
func (m *match) leavesCommits() bool {
	if m.c.in.Adrift == nil || m.call.away() {
		return false
	}
	dir := m.worksIn()
	detached, lost := m.c.in.Adrift(dir)
	for i := range m.c.calls {
		k := &m.c.calls[i]
		if k == m.call || lost {
			break
		}
		switch {
		case k.name != m.call.name || k.harmless(m.c.set) || k.away():
		case k.isOf(m.c.set, "commits-by-words"):
			lost = detached
		case k.sub("checkout", nil), k.sub("switch", nil):
			if len(k.operands) > 1 || len(k.options) > 0 {
				detached = k.detaches()
			}
		}
	}
	return lost
}

// leavesInside reports that HEAD of a submodule, which Git is to move, stands on commits that no reference leads to.
func (m *match) leavesInside() bool {
	in := m.c.in.AdriftInside
	return in != nil && !m.call.away() && in(m.worksIn())
}

// detaches reports a checkout of what is no branch, by its words.
func (k *call) detaches() bool {
	if k.given([]string{"--detach"}) || k.sub("switch", nil) && k.given([]string{"-d"}) {
		return true
	}
	if len(k.operands) != 2 || len(k.options) > 0 && k.given([]string{"-b", "-B", "--orphan"}) {
		return false
	}
	name := k.operand(1)
	return strings.ContainsAny(name, "~^") || strings.Contains(name, "@{") || name == "HEAD" || len(name) > 6 && strings.Trim(name, "0123456789abcdef") == ""
}

// worksIn is the folder in which a call of Git works.
func (m *match) worksIn() string {
	if t := m.c.elsewhere(m.call); len(t) > 0 {
		return t[0].Path
	}
	if abs, ok := m.c.absolute(m.call, "."); ok {
		return abs
	}
	return m.c.in.Dir
}

// displaces reports that a folder or a file of somebody's stands where Git has a file or a folder. Nobody asks for each `git stash`.
func (m *match) displaces() bool {
	return m.c.in.Displaced != nil && !m.call.away() && m.c.in.Displaced(m.worksIn())
}

// worktrees are the words by which `git worktree remove` is told what to remove, "" for one that only the shell will know.
func (k *call) worktrees() (words []string) {
	fresh := false
	for n := 2; n < len(k.operands); n++ {
		w := &k.cmd.Args[k.operands[n]]
		if w.Fresh() { // in a folder that the line itself makes
			fresh = true
			continue
		}
		word, known := w.Known()
		if !known {
			word = ""
		}
		words = append(words, word)
	}
	if len(words) == 0 && !fresh && fedByList(k) {
		words = []string{""}
	}
	return words
}

// removesWorktree finds the work trees that Git deletes. Nobody can tell of one that is not there, and Git refuses it.
func (m *match) removesWorktree() bool {
	c, k := m.c, m.call
	words := k.worktrees()
	if c.in.Worktrees == nil || k.away() || len(words) == 0 {
		return len(words) > 0
	}
	for _, dir := range c.in.Worktrees(m.worksIn(), words) {
		m.targets = append(m.targets, Target{Path: dir, Class: c.classify(dir, false) &^ rule.Temp}) // its branch is no throw-away
	}
	return len(m.targets) > 0
}

// removesSubmodule reports a submodule among the operands of git rm. What is below a folder or fits a pattern is not looked at: in a
// repository with submodules it may be one.
func (m *match) removesSubmodule() bool {
	c, k := m.c, m.call
	if c.in.Exists == nil || k.away() {
		return false
	}
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		w := &k.cmd.Args[i]
		p, ok := c.absolute(k, w.Text)
		if !c.spend(costPlace) {
			return true
		}
		switch many := !ok || w.Kind != shell.Literal || w.Glob || strings.ContainsAny(w.Text, "*?[:") || k.given([]string{"-r"}); {
		case ok && c.in.Exists(p+"/.git"):
			return true
		case many:
			dir, _ := c.absolute(k, k.folder())
			if top := c.repository(dir); top != "" && c.in.Exists(top+"/.gitmodules") {
				return true
			}
		}
	}
	return false
}

// deletesWorktree finds the linked work trees of the session's repository that a call deletes from outside of the project, by their folder, a
// folder around them or a pattern. Nothing inside the project counts: snapshots of it know of those.
func (m *match) deletesWorktree() bool {
	c, k := m.c, m.call
	if c.in.Worktrees == nil || c.in.Exists == nil || k.away() {
		return false
	}
	var trees []string
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&rule.DeleteTree == 0 || !c.spend(1) {
			continue
		}
		t := *c.locate(k, e)
		if t.Class&(rule.Outside|rule.Other|rule.Temp) == 0 || t.Class&rule.Unknown != 0 && t.Pattern == "" || t.Class&rule.Temp != 0 && t.Pattern == "" && !c.in.Exists(path.Join(t.Path, ".git")) || c.absent(k, t.Path) {
			continue
		}
		if trees == nil {
			trees = c.in.Worktrees(c.in.Dir, []string{""})
		}
		m.taker(e, &t)
		for _, dir := range trees {
			if t.Picks(dir) || t.Pattern == "" && lies(dir, t.Path) {
				m.targets = append(m.targets, Target{Path: dir, Class: c.classify(dir, false) &^ rule.Temp})
			}
		}
	}
	return len(m.targets) > 0
}

// movesWorktree finds the linked work trees of the session's repository that a call moves away from where Git looks for them, by their folder or
// one around them. What the line has Git repair is none.
func (m *match) movesWorktree() bool {
	c, k := m.c, m.call
	if c.in.Worktrees == nil || c.in.Regular == nil || k.away() {
		return false
	}
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&rule.Move == 0 || !c.spend(1) {
			continue
		}
		t := *c.locate(k, e)
		if t.Class&rule.Unknown != 0 && t.Pattern == "" || c.in.Regular(t.Path) || c.absent(k, t.Path) {
			continue
		}
		for _, dir := range c.in.Worktrees(c.in.Dir, []string{""}) {
			if t.Picks(dir) || t.Pattern == "" && lies(dir, t.Path) {
				m.targets = append(m.targets, Target{Path: dir, Class: c.classify(dir, false)})
			}
		}
	}
	return len(m.targets) > 0 && !slices.ContainsFunc(c.calls, func(k call) bool { return k.isOf(c.set, "repairs-worktrees-by-words") })
}

// strays reports that a work tree which Git forgets stands on a commit that no reference leads to.
func (m *match) strays() bool {
	k := m.call
	if m.c.in.Strays == nil || k.away() {
		return false
	}
	var words []string
	if k.sub("worktree remove", nil) {
		if words = k.worktrees(); len(words) == 0 {
			return false
		}
	}
	dir, known := m.c.absolute(k, k.folder())
	if !known {
		dir = m.c.in.Dir
	}
	return m.c.in.Strays(dir, words)
}

// throwAwayWork reports that Git works on a repository in a place for throw-away files,
// or in one that the line itself has made there.
func (m *match) throwAwayWork() bool {
	if m.call.away() || strings.Contains(m.call.cmd.Dir.Text, "..") {
		return false
	}
	t := m.c.elsewhere(m.call)
	return len(t) == 1 && t[0].Class&rule.Temp != 0 && !m.c.set.isWholeTemp(t[0].Path) && !m.c.ownTree(t[0].Path)
}
