// Package wire turns what a client writes into a hook.Event, and a hook.Answer into what that client reads.
//
// A dialect is data – which keys name the event and its fields, by way of Tables – and one file of code here. The older ones are in
// rules/events/_dialects.toml, with their spellings in the event files: claude.go, alfred.go, moai03.go, compiled.go, pal.go. Each agent of today is a file
// of rules/clients, which adapter.go reads the input by, and codex.go, copilot.go, cursor.go, gemini.go and generic.go answer them; who answers as Claude Code does is in claude.go.
//
// It is not about what to answer. Its invariants: every input decodes or gives an error, none panics; and an answer holds
// nothing but what its dialect knows, since clients throw a whole answer away, a refusal too, for one wrong key.
//
// # Other agents
//
// An agent of rules/clients is decoded to the same hook.Event as Claude Code's: adapter.go renames fields, tools and
// the parts of their input, makes paths absolute, goes to the folder in which a tool works, and takes texts of JSON and
// bare texts of patches apart. It is known by `--dialect` in its registered command, else by the shape of its payload;
// variables come last, and only where they are one agent's, since agents start one another. Where nothing tells who
// asks (hook.Event.Doubt), a refusal is written so that each of them reads one.
//
// Answers are held to models of how each client was seen to read them (agents_test.go): what is denied is stopped, what
// is asked is asked or stopped. hook.Event.Mute says that a client can ask nobody about an event: the guard then
// refuses, and says how a person allows it. A failure that is to let the call go on is the empty answer in the client's
// words with exit code 0 (Failed), since for one of them any other code refuses the call.
//
// Where an agent's files are, and in which form, is `[install]` of its file: `nested` as Claude Code's settings, `flat`
// (Cursor), or a `plugin` (opencode's, settings/opencode.js, the one program of moai's in another language).
// settings.File.Strip takes moai's part out where somebody has written since.
package wire
