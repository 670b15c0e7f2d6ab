package cli

import (
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/policy"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// The door: what of the environment counts. A cloned repository can set the variables of
// everything that an agent starts in it, so in a hook, and in every verb that an agent
// runs, they are a stranger's word. What moai itself goes by is settled here, once; the
// command that is judged gets its variables as they are, since it runs with them.

// process is what can be changed about the variables of this process; nil functions in tests.
type process struct {
	environ func() []string
	setenv  func(name, value string) error
	unset   func(name string) error
	account func(named string) string
	seat    seat.Sight
}

// byAgent reports whether an agent runs moai.
func (e *env) byAgent() bool {
	if e.asHook {
		return true
	}
	for i := range events.Clients {
		for _, name := range events.Clients[i].Variables {
			if e.getenv(name) != "" {
				return true
			}
		}
	}
	return false
}

// home is the folder at which a search for the project ends: the account's own, whatever
// the environment says.
func (e *env) home() string {
	named := state.Home(e.getenv)
	if e.process.account != nil && e.accountHome == "" {
		e.accountHome = e.process.account(named)
	}
	if e.accountHome != "" {
		return e.accountHome
	}
	return named
}

// user finds the user's folders, and closes the door behind them.
func (e *env) user(dirs ...string) *state.Folders {
	if e.folders != nil {
		return e.folders
	}
	if len(dirs) == 0 {
		dirs = []string{findRoot(e.dir, e.home())}
	}
	e.home()
	e.asked = state.Asked{Getenv: e.getenv, Account: e.accountHome, Projects: dirs}
	if e.asHook { // its variables are the client's and those of its settings; on a command line anybody may set some
		e.asked.Began = e.began
	}
	f := state.Find(e.asked)
	e.folders = &f
	if e.byAgent() {
		e.shut()
	}
	return e.folders
}

// shut takes away from this process what packages below read by themselves and must not
// obey: Git's variables, time zones, folders that are doubted. Most of the time there is none.
func (e *env) shut() {
	if e.process.environ == nil {
		return
	}
	drop := func(name, value string) {
		if e.taken == nil {
			e.taken = map[string]string{}
		}
		e.taken[name] = value
		_ = e.process.unset(name)
	}
	for _, kv := range e.process.environ() {
		name, value, _ := strings.Cut(kv, "=")
		switch {
		case has(events.Ignored, name):
			drop(name, value)
		case has(events.NamedFiles, name) && value != os.DevNull && e.asked.Doubt(value) != "":
			drop(name, value)
		}
	}
	if e.folders.Home != "" && state.Home(e.getenv) == "" {
		_ = e.process.setenv(state.HomeVariable, e.folders.Home)
	}
	for _, name := range e.folders.Moved {
		if value := e.getenv(name); name != state.HomeVariable {
			drop(name, value)
		} else if drop(name, value); e.folders.Home != "" {
			_ = e.process.setenv(name, e.folders.Home)
		}
	}
}

func has(list []rule.Variables, name string) bool {
	for i := range list {
		if list[i].Has(name) {
			return true
		}
	}
	return false
}

// inherited is the environment as the command that is judged gets it.
func (e *env) inherited(name string) string {
	if v, ok := e.taken[name]; ok {
		return v
	}
	return e.getenv(name)
}

// cfg loads the configuration for a project root ("" for none).
func (e *env) cfg(project string) *config.Config { return e.load(project, e.answered()) }

func (e *env) load(project string, answered *config.Answered) *config.Config {
	f := e.user()
	own := ""
	if project != "" {
		own = config.OwnFile(f.Config, func() string { return state.ProjectKey(project) })
	}
	return config.Load(config.Sources{
		UserDir: f.Config, Doubted: f.Doubted, Beside: f.Beside, Own: own,
		Project: project, Getenv: e.getenv, Agent: e.byAgent(), Aliases: events.Aliases, Began: e.beganWith, Answered: answered,
	})
}

// began is the value with which the client of this process began, and whether that is known. What is above is looked at once.
func (e *env) began(variable string) (value string, known func() bool) {
	if e.beginning == nil {
		e.beginning = e.seat().Beginning(e.process.seat)
	}
	return e.beginning.Value(variable)
}

// beganWith is began for those who go by what is known alone.
func (e *env) beganWith(variable string) (value string, known bool) {
	value, told := e.began(variable)
	if !told() {
		return "", false
	}
	return value, true
}

// stateDir is where moai keeps its own files for this user.
func (e *env) stateDir() string { return e.user().State }

// configDir is the folder of the user's own configuration and rules.
func (e *env) configDir() string { return e.user().Config }

// places are where the user's and the project's rules are.
func (e *env) places(root string) policy.Places {
	f := e.user()
	return policy.Places{Config: f.Config, Root: root, State: f.State, Doubted: f.Doubted, Beside: f.Beside, AlsoSpent: f.Spent}
}

// doubts are what of the surroundings does not count, a line each.
func (e *env) doubts(c *config.Config) []string {
	var list []string
	// They quote variables, which can hold anything.
	for _, d := range e.user().Doubts {
		list = append(list, shown(d.String()))
	}
	for _, i := range c.Ignored {
		list = append(list, shown(i.String()))
	}
	for i := range c.Held {
		list = append(list, shown(c.Held[i].String()))
	}
	return list
}

// shown makes one line of a length that people read out of a text that quotes a stranger.
func shown(text string) string {
	const most = 400
	if r := []rune(text); len(r) > most {
		text = string(r[:most/2]) + "…" + string(r[len(r)-most/2:])
	}
	return term.Text(text)
}

// settle decides which project an event is about, and which others its call is judged for
// as well. The project is what the client names, as long as it is a project around the
// working directory. Named by a variable it can be anything: "/" would make every file one
// of the project's own, and another repository would leave the changes in this one unseen.
func (e *env) settle(event *hook.Event) {
	home := e.home()
	if dir := unblurred(event.CWD); dir != event.CWD {
		if event.ProjectDir == event.CWD {
			event.ProjectDir = dir
		}
		event.CWD = dir
	}
	if state.TooDeep(event.ProjectDir) {
		event.ProjectDir = event.CWD
	}
	defer func() {
		// A shell takes a home that is relative as it is.
		if named := e.getenv(state.HomeVariable); named != "" && len(named) < 256 && !filepath.IsAbs(named) {
			e.folders.Homes = append(e.folders.Homes, filepath.Join(event.CWD, named))
		}
	}()
	here := findRoot(event.CWD, home)
	named, about := here, []string{here}
	if event.ProjectDir != event.CWD { // else it is the same, and looking again costs as much
		if named = findRoot(event.ProjectDir, home); named != here {
			about = []string{named, here}
		}
	}
	e.user(about...)
	event.ProjectDir = named
	switch {
	case named == here:
	case !contains(named, event.CWD):
		e.roots = []string{here} // the session has gone elsewhere, or was never where it is said to be
	case contains(named, home) || !marked(named) && (marked(here) || high(named)):
		event.ProjectDir = here
	}
}

// unblurred is the folder that a client means by a name which is no text: JSON has U+FFFD for what is no letter, and a hook is started
// where the session stands.
func unblurred(dir string) string {
	if !strings.ContainsRune(dir, utf8.RuneError) {
		return dir
	}
	if _, err := os.Lstat(dir); err == nil {
		return dir
	}
	blur := func(dir string) string {
		text := strings.ToValidUTF8(dir, "\uFFFD")
		for strings.Contains(text, "\uFFFD\uFFFD") { // some write one for each byte, some one for all
			text = strings.ReplaceAll(text, "\uFFFD\uFFFD", "\uFFFD")
		}
		return text
	}
	if here, err := os.Getwd(); err == nil && blur(here) == blur(dir) {
		return here
	}
	return dir
}

// marked reports a folder that says of itself that it is a project.
func marked(dir string) bool {
	for _, mark := range projectMarks {
		if _, err := os.Lstat(filepath.Join(dir, mark)); err == nil {
			return true
		}
	}
	return false
}

// projectMarks are what the root of a project holds: one of them.
var projectMarks = [...]string{".git", ".moai"}

// high reports a folder that is nobody's project: the root of a file system, or one right below it.
func high(dir string) bool {
	up := filepath.Dir(dir)
	return up == filepath.Dir(up)
}

// contains reports whether path is dir or below it, as the names say or where links lead.
func contains(dir, path string) bool {
	below := func(dir, path string) bool {
		rel, err := filepath.Rel(dir, path)
		return err == nil && filepath.IsLocal(rel)
	}
	if dir == "" || path == "" {
		return false
	}
	if below(dir, path) {
		return true
	}
	d, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	p, err := filepath.EvalSymlinks(path)
	return err == nil && below(d, p)
}

// reads says what comes of a variable that a project's settings set, "" for those that moai
// does not look at.
func reads(name string) string {
	for i := range config.Keys {
		if name == config.EnvName(config.Keys[i].Name) {
			return "in a hook it may only tighten"
		}
	}
	for i := range events.Aliases {
		if events.Aliases[i].Variable == name {
			return "it counts only where env.trust names it"
		}
	}
	for i := range events.Ignored {
		if v := &events.Ignored[i]; v.Has(name) {
			return "moai does not obey it, since " + v.Why
		}
	}
	switch {
	case name == state.HomeVariable, has(events.Folders, name):
		return "a folder in a project loosens nothing"
	case has(events.NamedFiles, name):
		return "a file in a project does not count"
	}
	return ""
}
