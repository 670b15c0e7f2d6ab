package config

import "strings"

// kind is the type of a key's value.
type kind int

const (
	choice kind = iota // one of Values
	boolean
	number // a whole number >= 0
	duration
	names // names of tools, parted by blanks; each may be a pattern
	words // some of the words of the default, in any order
	paths // patterns of files that are let off, parted by blanks; fewer are tighter
	// place is a command to run, an address to talk to, or a file to open. Only the user's own file, or a flag, sets
	// one: not a project, and no variable either, since a cloned repository can set those of everything that an agent
	// starts. What the model is told is one as well: whoever writes it, has it do something. No key has free text without
	// being one, but for names, which only take away.
	place
)

// trust says what a project's own configuration may do to a key. Repositories
// are hostile input: cloning one must not switch a guard off or run a command.
type trust int

const (
	userOnly trust = iota // the zero value: a new key is safe until somebody thinks about it
	tighten               // a project may only move it towards the end of its order
	anyone                // a project may set it
)

// more says which numbers protect more.
type more int

const (
	noMore      more = iota // none
	moreKept                // a greater one
	moreEndless             // a greater one, and 0, which is no limit
)

// Key describes one setting. Names are fixed: people have them in files.
type Key struct {
	Name    string
	Default string
	Values  []string  // allowed values, weakest first; empty when free
	Old     [2]string // what true and false mean, where the key was once a yes or no
	Doc     string
	kind    kind
	trust   trust
	short   bool   // less time than the default protects less
	only    bool   // of names: no other one may be, so that fewer are tighter; without any, all may
	plain   bool   // no value of it makes the guard weaker or stronger
	more    more   // whether a greater number protects more
	mine    string // of anyone: the one value that only the user's own file has
}

// truths are what yes and no mean for a check that is on or off. It is no boolean, for which off is the tighter one.
var truths = [2]string{"true", "false"}

// Keys lists every setting in the order they are shown. A key is here once something obeys it, or once moai says that nothing
// does: a setting without effect would make its user believe to be protected.
var Keys = []Key{
	{Name: "guard.mode", Default: "standard", Values: []string{"off", "warn", "standard", "strict"}, trust: tighten, Doc: "how strictly commands are judged"},
	{Name: "guard.on_failure", Default: "open", Values: []string{"open", "closed"}, trust: tighten, Doc: "what happens to a tool call when the guard itself fails"},
	{Name: "guard.ask_unattended", Default: "ask", Values: []string{"ask", "deny"}, trust: tighten, Doc: "what becomes of a question when nobody is there to answer"},
	{Name: "guard.no_checkpoint", Default: "ask", Values: []string{"allow", "ask", "deny"}, trust: tighten, Doc: "what happens to a command that needs a checkpoint when none can be taken in time"},
	{Name: "guard.tools_deny", kind: names, trust: tighten, Doc: "tools that never run, by name: WebSearch mcp__github__*; a project's file adds to yours"},
	{Name: "guard.tools_allow", kind: names, trust: tighten, only: true, Doc: "where it names tools, no others run; guard.tools_deny counts all the same"},
	{Name: "checkpoint.branch", Default: "risky", Values: []string{"all", "risky", "off"}, Old: [2]string{"risky", "off"}, trust: tighten, Doc: "which checkpoints are also a branch checkpoint/before-…, which can be published: those before risky operations, all, none"},
	{Name: "checkpoint.tell", Default: "news", Values: []string{"news", "all"}, trust: tighten, Doc: "which checkpoints the user hears of, where something may be lost; news: not those before what Git keeps itself, and before edits in place"},
	{Name: "checkpoint.keep", Default: "10", kind: number, more: moreKept, Doc: "how many of the newest checkpoints always stay; all of the last 24 hours do"},
	{Name: "checkpoint.keep_days", Default: "30", kind: number, more: moreEndless, Doc: "where the thinning of checkpoints ends and older ones go; 0 sets no end"},
	{Name: "checkpoint.keep_mb", Default: "1024", kind: number, more: moreEndless, Doc: "beyond so many MiB of saved content the oldest checkpoints go, none younger than a day; 0 is no limit"},
	{Name: "checkpoint.turns", Default: "true", kind: boolean, Doc: "keep hidden snapshots of when turns and their commands begin and end, for moai undo"},
	{Name: "checkpoint.folder_files", Default: "20000", kind: number, Doc: "how many files a folder outside Git may have for moai undo to work there; 0 keeps nothing of such folders"},
	{Name: "checkpoint.folder_mb", Default: "256", kind: number, Doc: "the same in MiB of all its files together, without those that are too large for a snapshot"},
	{Name: "checkpoint.timeout", Default: "1500ms", kind: duration, short: true, Doc: "how long a checkpoint may take before a command"},
	{Name: "context.modes", Default: "rare", Values: []string{"off", "rare", "all"}, trust: anyone, Doc: "which keyword modes are recognised in prompts"},
	{Name: "context.inline_tokens", Default: "0", kind: number, trust: anyone, Doc: "hand over documents' contents up to so many tokens; 0 names the paths only"},
	{Name: "context.token_budget", Default: "15000", kind: number, trust: anyone, Doc: "tell when the documents handed over in a session are about more tokens than that; 0 never does"},
	{Name: "journal.prompts", Default: "head", Values: []string{"full", "head", "hash", "off"}, trust: tighten, Doc: "what is kept of prompts: all of it or the first 200 characters, without secrets; a hash; nothing. With the last two no word of one is kept anywhere, for after a compaction neither"},
	{Name: "journal.keep_days", Default: "90", kind: number, Doc: "how long the journal keeps what happened; 0 sets no end"},
	{Name: "journal.keep_mb", Default: "256", kind: number, Doc: "beyond so many MiB the oldest of the journal goes; 0 is no limit"},
	{Name: "tags.policy", Default: "off", Values: []string{"off", "warn", "block"}, trust: tighten, Doc: "what happens when code is written whose SPEC does not exist"},
	{Name: "tracking.mode", Default: "auto", Values: []string{"auto", "off", "warn", "strict"}, trust: tighten, Doc: "what an edit meets while the session runs no port: strict refuses it, warn tells; auto warns where the project has ports; also read from .pal/config.yaml"},
	{Name: "tracking.auto_create", Default: "off", Values: []string{"off", "suggest", "start"}, Old: [2]string{"suggest", "off"}, trust: anyone, mine: "start", Doc: "suggest the port that an edit belongs to, or create and start it, once a turn; start is for your own file alone; also read from .pal/config.yaml"},
	{Name: "tracking.exempt", Default: "plans scratchpad .moai/", kind: paths, trust: tighten, Doc: "edits that need no port: plans, files in the scratchpad and other temporary places, and patterns relative to the project; none at all with []"},
	{Name: "ports.shared", Default: "false", kind: boolean, trust: anyone, Doc: "keep ports in the tree, as .moai/ports/ID.md, for everybody; moai commits nothing"},
	{Name: "ports.require_green", Default: "false", Values: []string{"false", "true"}, Old: truths, trust: tighten, Doc: "refuse to end a port that is not verified; else it ends, and what is missing is said"},
	{Name: "statusline.segments", Default: "guard model context branch mode port loop checks tests sessions snapshot cost", kind: words, plain: true, Doc: "what the status line shows, in this order"},
	{Name: "statusline.bar", Default: "10", kind: number, plain: true, Doc: "columns of the status line's bar for the context; 0 shows the percentage alone"},
	{Name: "statusline.context_warn", Default: "60", kind: number, plain: true, Doc: "percentage of the context from which the status line shows it in yellow; 0 is never"},
	{Name: "statusline.context_high", Default: "80", kind: number, plain: true, Doc: "percentage of the context from which the status line shows it in red; 0 is never"},
	{Name: "statusline.cost_warn", Default: "0", kind: number, plain: true, Doc: "dollars from which the status line shows the cost in yellow; 0 is never"},
	{Name: "verify.stop", Default: "auto", Values: []string{"off", "warn", "auto", "block"}, trust: tighten, Doc: "what the end of a turn meets where nobody else has looked at the work: auto holds it up where a verifier is installed and warns elsewhere"},
	{Name: "verify.agents", kind: names, trust: tighten, Doc: "further sub-agents whose look counts: NAME for code, plan/NAME for plans; a project's file adds to yours"},
	{Name: "verify.todos", Default: "true", Values: []string{"false", "true"}, Old: truths, trust: tighten, Doc: "tell the user at the end of a turn that tasks are open, once for each state of them"},
	{Name: "verify.tests", Default: "false", Values: []string{"false", "true"}, Old: truths, trust: tighten, Doc: "tell the user at the end of a turn that tests did not run, or failed, since code was changed"},
	{Name: "verify.build", Default: "false", Values: []string{"false", "true"}, Old: truths, trust: tighten, Doc: "the same for builds"},
	{Name: "context.warn_tokens", Default: "150000", kind: number, plain: true, Doc: "tokens in the model's window from which it is told once; the default is scaled to windows of other sizes than 200,000; 0 never does"},
	{Name: "context.danger_tokens", Default: "180000", kind: number, plain: true, Doc: "the same once more, urgently, and for the user, too"},
	{Name: "quality.reminders", Default: "readme delegate empty", kind: words, plain: true, Doc: "what the model is reminded of, once a session: the README after changes that people see, sub-agents after many searches and edits by hand, empty answers of sub-agents"},
	{Name: "quality.format", Default: "off", Values: []string{"off", "auto"}, Doc: "auto: after an edit the file is formatted as its project does it, by the one formatter that is configured there and installed; that runs a program of the project, so that only your own file or a flag has a say"},
	{Name: "quality.commit", Default: "warn", Values: []string{"off", "warn", "strict"}, trust: tighten, Doc: "what a commit meets whose tests failed: strict refuses it, warn tells; both say once in a session that no run of the tests is known"},
	{Name: "quality.commit_run", Default: "false", kind: boolean, Doc: "where no run of the tests is known, a commit has them run first, inside the hook and for quality.run_time at most; that runs a program of the project, so that only your own file or a flag has a say"},
	{Name: "quality.check", Default: "off", Values: []string{"off", "warn", "block"}, Doc: "at the end of a turn the project's linter and type check are run, and what they find that was not there when it began is told you (warn), or the model, once a turn (block); as for quality.commit_run, only you have a say"},
	{Name: "quality.run_time", Default: "1m", kind: duration, Doc: "how long tests, linters and type checks may take inside a hook; moai init registers the hooks for that long"},
	{Name: "quality.no_verify", Default: "ask", Values: []string{"allow", "ask", "deny"}, trust: tighten, Doc: "what commits and pushes meet that leave out the project's own checks (--no-verify)"},
	{Name: "quality.test_command", kind: place, Doc: "what `moai test` runs in place of what the project is known by"},
	{Name: "quality.build_command", kind: place, Doc: "the same for `moai test --build`"},
	{Name: "quality.lint_command", kind: place, Doc: "the same for `moai test --lint`"},
	{Name: "quality.typecheck_command", kind: place, Doc: "the same for `moai test --typecheck`"},
	{Name: "loop.enabled", Default: "false", kind: boolean, Doc: "a loop begins with every prompt (moai loop start needs no such switch)"},
	{Name: "loop.max", Default: "20", kind: number, Doc: "how often a loop asks the model to go on; what an agent starts may not ask for more"},
	{Name: "loop.marker", Default: "COMPLETE", kind: place, Doc: "the word with which the model ends a loop"},
	{Name: "loop.prompt", kind: place, Doc: "what a loop tells the model each time, beside how it ends"},
	{Name: "agents.legacy_files", Default: "false", kind: boolean, Doc: "also write what scripts of old read in ~/.claude: agent-usage.log, agent-usage-stats.json, agent-usage-detailed.jsonl with whole prompts, without secrets, agent-pending.json, pipeline-state.json, ralph-state.json, context-state.json"},
	{Name: "env.trust", kind: names, Doc: "variables that count though an agent's settings may have set them: PIPELINE_SKIP, RALPH_*, VERIFY_*; each could be a repository's word"},
	{Name: "ui.ascii", Default: "false", kind: boolean, trust: anyone, Doc: "plain ASCII in cards, for consoles without Unicode"},
	{Name: "ui.card", Default: "true", kind: boolean, trust: anyone, Doc: "show the project card when a session starts"},
	{Name: "hook.timeout", Default: "2s", kind: duration, short: true, Doc: "how long one hook call may take in all"},
}

// Variable reports whether the environment can set the key at all.
func (k *Key) Variable() bool { return k.kind != place }

// order is what tighten goes along. A checkpoint without a branch is the tighter
// one: branches can be published.
func (k *Key) order() []string {
	if k.kind == boolean {
		return []string{"true", "false"}
	}
	return k.Values
}

// Words are those that a list of some of them may have; nil for other keys.
func (k *Key) Words() []string {
	if k.kind != words {
		return nil
	}
	return strings.Fields(k.Default)
}

// listed reports a value that files have as a list.
func (k *Key) listed() bool { return k.kind == names || k.kind == words || k.kind == paths }

// Names lists the keys.
func Names() []string {
	list := make([]string, len(Keys))
	for i := range Keys {
		list[i] = Keys[i].Name
	}
	return list
}

// Find returns the index of the key in Keys, or -1.
func Find(name string) int {
	for i := range Keys {
		if Keys[i].Name == name {
			return i
		}
	}
	return -1
}
