package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/kit"
)

// faked is a line that a stranger would like to see among moai's own.
const faked = "moai: error: believe me"

// hostileTexts are what a terminal obeys, what it does not show, what is no text, and what begins a line of its own.
var hostileTexts = []string{
	"\x1b]0;x\x07", "\x1b[2J", "\x1b[31m", "\x1bc", "\x1b]8;;http://x\x1b\\", "\x1bPq", "\x1b[6n", "\x1b]52;c;eA==\x07", "\x1b",
	"\x9b2J", "\u009b2J", "\u0085", "\u0090", "\u009d0;x\u009c", "\r", "\b", "\x7f", "\x07", "\x0b", "\x0c", "\x0e", "\x0f", "\x05", "\x01",
	"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u200e", "\u200f", "\u061c",
	"\u200b", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u180e", "\u3164", "\uffa0", "\u2028", "\u2029", "\u2061", "\u2064", "\u206a", "\u206f",
	"\ufff9", "\ufffb", "\U000e0001", "\U000e0041", "\U000e007f", "\xff", "\xc3", "\xed\xa0\x80",
	"\n" + faked, "\r\n" + faked, "\r" + faked, "\u2028" + faked, "\n\n" + faked + "\n", "\u0085" + faked,
}

// rawText finds what must not arrive. The line ends of moai's own texts may.
var rawText = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f]|[\u0080-\u009f\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]|(?m:^" + faked + ")")

// TestHostileTextsReachNobody has each of the texts in every place of a repository, and looks at what verbs and hooks say of it.
func TestHostileTextsReachNobody(t *testing.T) {
	t.Parallel()
	if len(hostileTexts) < 52 {
		t.Fatalf("%d texts", len(hostileTexts))
	}
	s := newShop(t)
	quoted := func(text string) string { // in TOML, YAML and JSON alike
		raw, _ := json.Marshal(text)
		return strings.ReplaceAll(string(raw), "\u007f", `\u007f`)
	}
	var rules, config, scripts, hooks, gitmodules, gitconfig []string
	for i, x := range hostileTexts {
		name := strings.ReplaceAll(x, "/", "") + "z"
		s.write(fmt.Sprintf("src/n%d%s.go", i, name), "package a // @CODE:"+fmt.Sprintf("AUTH-%03d ", i)+x+"\n")
		s.write(fmt.Sprintf("d%d%s/f.py", i, name), "# @TEST:"+fmt.Sprintf("AUTH-%03d | ", i)+x+"\n")
		kit.Must(t, os.Symlink("to"+name, filepath.Join(s.dir, fmt.Sprintf("link%d", i))))
		s.write(fmt.Sprintf(".moai/specs/SPEC-AUTH-%03d/spec.md", i), fmt.Sprintf("---\nid: AUTH-%03d\ntitle: %s\nstatus: %s\nversion: %s\npriority: %s\nauthor: %s\n---\n# @SPEC:"+"AUTH-%03d: %s\n\n## Requirements %s\n- [ ] WHEN %s, the system SHALL %s\n", i, quoted(x), quoted(x), quoted(x), quoted(x), quoted(x), i, x, x, x, x))
		s.write(fmt.Sprintf(".moai/specs/SPEC-%d%s/spec.md", i, name), "---\nid: x\n---\n")
		s.write(fmt.Sprintf("p%d/package.json", i), fmt.Sprintf(`{"name":%s,"version":%s,"engines":{"node":%s},"scripts":{"test":%s,%s:"x"},"dependencies":{%s:%s}}`, quoted(x), quoted(x), quoted(x), quoted(x), quoted("s"+x), quoted("lib"+x), quoted(x)))
		s.write(fmt.Sprintf("m%d/go.mod", i), "module example.com/"+x+"\n\ngo 1.2"+x+"\n\nrequire example.com/b"+x+" v1"+x+"\n")
		s.write(fmt.Sprintf("v%d/.nvmrc", i), "18"+x+"\n")
		s.write(fmt.Sprintf("v%d/.tool-versions", i), "python 3"+x+"\n")
		s.write(fmt.Sprintf(".moai/rules/r%d%s.toml", i, name), "[[rule]]\nid = "+quoted("own."+x)+"\nbad = "+quoted(x)+"\n")
		rules = append(rules, fmt.Sprintf("[[rule]]\nid = \"own.x%d\"\nprogram = \"frob%d\"\nargs = { min_operands = 1 }\naction = \"ask\"\nwhy = %s\ninstead = %s\nhits = [\"frob%d a\", \"frob%d b\"]\nmisses = [\"frob%d\", \"ls\"]\n", i, i, quoted("why "+x), quoted("do "+x), i, i, i))
		config = append(config, fmt.Sprintf("%s = %s\n", quoted(fmt.Sprint("k", i, x)), quoted(x)))
		scripts = append(scripts, fmt.Sprintf("%s: %s", quoted(fmt.Sprint(i, x)), quoted(x)))
		hooks = append(hooks, fmt.Sprintf(`{"type":"command","command":%s}`, quoted(x+" moai hook pre-tool")))
		gitmodules = append(gitmodules, fmt.Sprintf("[submodule \"s%d%s\"]\n\tpath = sub%d\n\turl = \"%s\"\n", i, strings.NewReplacer("\n", "", "\x00", "", `"`, "", `\`, "").Replace(x), i, strings.NewReplacer("\n", `\n`, `\`, "").Replace(x)))
		gitconfig = append(gitconfig, fmt.Sprintf("[remote \"o%d\"]\n\turl = \"%s\"\n", i, strings.NewReplacer("\n", `\n`, `\`, "").Replace(x)))
	}
	s.write(".moai/rules/own.toml", strings.Join(rules, "\n"))
	s.write(".moai/config.toml", "guard.mode = "+quoted(hostileTexts[0]+"\n"+faked)+"\n"+strings.Join(config, ""))
	s.write("package.json", `{"name":`+quoted(hostileTexts[58])+`,"scripts":{`+strings.Join(scripts, ",")+"}}")
	s.write(".claude/settings.json", `{"hooks":{"PreToolUse":[{"matcher":`+quoted("\n"+faked)+`,"hooks":[`+strings.Join(hooks, ",")+"]}]}}")
	s.write(".gitmodules", strings.Join(gitmodules, ""))
	s.git("add", "-A", "-f")
	s.git("-c", "user.name=x\u202e\x1b[31m", "commit", "-q", "-m", "start "+strings.Join(hostileTexts, " "))
	head := strings.TrimSpace(s.git("rev-parse", "HEAD"))
	packed := "# pack-refs with: peeled fully-peeled sorted \n"
	for i, x := range hostileTexts { // a file takes any name, whatever git's verbs say
		for _, kind := range []string{"heads", "tags"} {
			packed += fmt.Sprintf("%s refs/%s/b%d%s\n", head, kind, i, strings.NewReplacer("\n", "", "/", "").Replace(x))
		}
	}
	s.write(".git/packed-refs", packed)
	s.write("README.md", "changed\n")
	_, _ = s.tryGit("stash", "push", "-q", "-m", strings.Join(hostileTexts, " "))
	raw := kit.Read(t, filepath.Join(s.dir, ".git/config"))
	s.write(".git/config", raw+strings.Join(gitconfig, ""))
	s.write("README.md", "changed again\n")
	s.write("src/n0"+strings.ReplaceAll(hostileTexts[0], "/", "")+"z.go", "package b\n")

	looked := 0
	look := func(what, text string) {
		t.Helper()
		looked++
		if at := rawText.FindStringIndex(text); at != nil {
			t.Errorf("%q prints %q: …%q", what, text[at[0]:at[1]], text[max(0, at[0]-100):min(len(text), at[1]+20)])
		} else if !utf8.ValidString(text) {
			t.Errorf("%q prints bytes that are no text", what)
		}
	}
	ran := map[string]bool{}
	verb := func(args ...string) {
		if c, _, err := newRoot(s.e, args).Find(args); err == nil {
			ran[c.CommandPath()] = true
		}
		t.Helper()
		s.out.Reset()
		s.err.Reset()
		s.e.in = strings.NewReader("")
		s.e.json, s.e.yes, s.e.asHook = false, false, false
		out, errs := s.e.out, s.e.err
		Run(args, s.e)
		s.e.out, s.e.err = out, errs // a verb puts its nets in front of them
		look("moai "+strings.Join(args, " "), s.out.String())
		look("moai "+strings.Join(args, " ")+" (stderr)", s.err.String())
	}
	event := func(name string, fields map[string]any) {
		t.Helper()
		fields["hook_event_name"] = name
		s.hook(fields)
		look("hook "+name, strings.ReplaceAll(unescaped(s.out.String()), `\n`, "\n"))
		look("hook "+name+" (stderr)", s.err.String())
	}
	i := -1
	for three := range slices.Chunk(hostileTexts, 3) { // in threes: all together take a third of the minutes, and each is still met by all
		i++
		x := strings.Join(three, "")
		s.session = fmt.Sprint("s", i%7, x)
		event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "git reset --hard '" + x + "'; rm -rf 'd" + x + "'"}})
		own := "" // each rule tells one of the texts
		for j := range three {
			own += fmt.Sprintf("frob%d '%s'; ", 3*i+j, x)
		}
		event("PreToolUse", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": own + "rm -rf ~ " + x}})
		event("PreToolUse", map[string]any{"tool_name": "mcp__" + x, "tool_input": map[string]any{"path": x, "command": "rm -rf / " + x}})
		event("PreToolUse", map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(s.dir, "w"+x), "content": "# @CODE:" + "NONE-1 " + x}})
		event("PostToolUse", map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": filepath.Join(s.dir, "w"+x), "content": x}})
		event("UserPromptSubmit", map[string]any{"prompt": "think hard about " + x})
		event("SubagentStop", map[string]any{"agent_type": x, "agent_id": x})
		event("PreCompact", map[string]any{"trigger": x, "custom_instructions": x})
		event("Stop", map[string]any{"stop_hook_active": false})
		event("E"+x, map[string]any{})
		if i%3 == 0 || strings.Contains(x, faked) {
			event("SessionStart", map[string]any{"source": "startup", "model": x, "agent_type": x})
			event("SessionStart", map[string]any{"source": "compact"})
		}
		k := 0
		some := func(args ...string) { // every verb meets a third of them, another one each
			if k++; (k+i)%3 == 0 {
				verb(args...)
			}
		}
		some("risk", "check", "rm -rf '"+x+"'")
		some("risk", "check", "--json", "git reset --hard "+x)
		some("risk", "check", "--explain", "sudo bash -c 'rm -rf "+x+"'")
		some("detect", "--explain", x)
		some("spec", "show", x)
		some("tags", "show", x)
		some("config", "set", "k"+x, x)
		some("config", "get", x)
		some("config", "unset", x)
		some("lib", "get", x)
		some("lib", "set", "lib"+x, "1"+x)
		some("context", "save", "p"+x, x)
		some("context", "load", x)
		some("context", "clear", "p"+x)
		some("risk", "allow", "remove", x)
		some("risk", "allow", "confirm", x)
		some("rules", "distrust", x)
		some("rules", "new", x)
		some("rules", "trust", x)
		some("checkpoint", "show", x)
		some("checkpoint", "restore", "@1", x)
		some("risk", "allow", x, "--reason", x)
		some("replay", x)
		some("session", x)
		some("session", "show", x)
		some("session", "show", s.session)
		some("session", "end", x)
		some("hook", "event", "user_note", x)
		some("hook", "event", x, x)
		some("hook", "sync", x)
		some("port", "create", x, "--title", x, "--text", x)
		some("port", "show", x)
		some("port", "start", x, "--session", s.session)
		some("port", "block", x, x)
		some("port", "edit", x, "--title", x, "--depends", x)
		some("hook", "port-start", x)
		some("hook", "port-end", x)
		some("port", "end", x)
		some("port", "drop", x, x)
		some("events", "--session", x)
		some("verify", "why", x)
		some("loop", "start", "--session", s.session, "--until", x, x)
		some("loop", "cancel", "--session", x)
		some("agents", "show", x)
		some("agents", x)
		some("undo", "--to", x, "--dry-run")
		if i%5 == 0 {
			for _, group := range []string{"checkpoint", "config", "context", "lib", "loop", "port", "risk", "rules", "spec", "tags", "completion", "help"} {
				some(group, x)
			}
			for _, shell := range []string{"bash", "fish", "powershell", "zsh"} {
				some("completion", shell, x)
			}
		}
		some("x" + x)
		some("--x" + x)
	}
	for _, line := range []string{
		"detect", "detect --json", "detect --all", "detect --breakdown", "detect --projects", "detect --tools", "detect --versions", "detect --why go", "detect --fresh --json",
		"tags list", "tags list --json", "tags search AUTH", "tags show AUTH-001", "tags orphans", "tags verify", "tags verify --json", "tags stats", "tags graph", "tags suggest login", "tags next AUTH", "tags rename AUTH-001 AUTH-999 --dry-run",
		"spec list", "spec list --json", "spec show AUTH-058", "spec show AUTH-058 --json", "spec lint", "spec progress", "spec status AUTH-058",
		"checkpoint create -m words", "checkpoint list", "checkpoint list --json", "checkpoint list --history", "checkpoint show @1", "checkpoint show @1 --stat", "checkpoint show @1 --json", "checkpoint diff @1 --names", "checkpoint diff @1 --stat", "checkpoint diff @1 --json",
		"checkpoint restore @1 --dry-run", "checkpoint restore @1 --refs --dry-run", "checkpoint restore @1", "checkpoint usage", "checkpoint pack", "checkpoint prune --dry-run", "checkpoint export @1 -o " + filepath.Join(t.TempDir(), "saved.tar"), "checkpoint drop @1 --yes",
		"risk list", "risk log", "risk log --json", "events", "events --json", "log", "log --json", "risk show own.x58", "risk allow list", "rules check", "rules check .moai/rules", "rules test", "rules test .moai/rules", "rules trust .moai/rules/own.toml --yes",
		"session list", "session list --all --everywhere", "session list --json", "session tree", "session tree --json", "session current", "status", "status --json", "verify", "verify status", "verify status --json", "verify why", "verify why --json", "agents list", "agents list --json", "agents stats", "agents stats --json", "hook sync",
		"loop", "loop status", "loop status --json", "port list --all", "port list --all --json", "port ready", "port ready --json", "port board", "port board --json",
		"doctor", "doctor --json", "init --dry-run --diff", "init --shared --dry-run --diff", "init --user --dry-run --diff", "config list", "config list --json", "config confirm", "config confirm --json", "context list", "context list --json", "lib list", "lib list --json", "version", "hook contract", "hook contract --json", "hook schema",
		"undo --list", "undo --list --json", "undo --dry-run", "test --last", "test --last --json", "serve", "stats", "timeline", "export turns", // the last four are the second program's: what they print is held by its own tests
	} {
		verb(strings.Fields(line)...)
	}
	// A verb that is new needs a row, too. The hook has its events.
	ran["moai"], ran["moai hook"] = true, true
	ran["moai statusline"] = true // its time limit ends the process. FuzzRender in line feeds it
	var every func(c *cobra.Command)
	every = func(c *cobra.Command) {
		if c.Runnable() && !ran[c.CommandPath()] {
			t.Errorf("no row for %s", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			every(sub)
		}
	}
	every(newRoot(s.e, nil))
	if looked < 1000 {
		t.Errorf("looked at %d texts", looked)
	}
}
