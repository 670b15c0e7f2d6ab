package cli

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/generated/clients"
	"github.com/modu-ai/moai/generated/contexts"
	"github.com/modu-ai/moai/generated/events"
	"github.com/modu-ai/moai/generated/journal"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/generated/specs"
	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
	"github.com/modu-ai/moai/internal/wire"
)

// eventTables joins the codecs with the generated events.
func eventTables() *wire.Tables {
	return &wire.Tables{Events: events.Events, Common: events.Common, Dialects: events.Dialects, Adapters: clients.Adapters, Tools: events.Tools, Find: events.Find}
}

// handleTables joins the handlers with the generated tables.
func (e *env) handleTables() handle.Tables {
	if e.languageTable == nil {
		e.languageTable = sync.OnceValue(e.loadLanguages) // parts of a card ask side by side
	}
	return handle.Tables{
		Risks: risks.Set(), Languages: e.languages, Contexts: contexts.Rules, Journal: journal.Types, Commands: journal.Commands,
		Tags: rule.Tags{Kinds: tables.Kinds, Problems: tables.Problems}, Specs: &specs.Table,
		Verify:  verify.Tables{Agents: &agents.All, Languages: e.languages},
		Quality: &quality.Table,
		Turns:   events.Turns, Locale: &events.Locale, Seat: e.seat(),
	}
}

// seat finds the client of the process that this is.
func (e *env) seat() seat.Finder {
	return seat.Finder{Clients: events.Clients, Hosts: events.Hosts, Terminals: events.Terminals, Getenv: e.getenv}
}

// languages is the table of languages with what the user adds to it. It is read when a language is wanted: most events want none.
func (e *env) languages() *lang.Table {
	if e.languageTable == nil {
		e.languageTable = sync.OnceValue(e.loadLanguages)
	}
	return e.languageTable()
}

// loadLanguages reads it: a hook from the kept table alone, everybody else from the user's files, whose faults are said.
func (e *env) loadLanguages() *lang.Table {
	if e.asHook {
		return e.added().Kept(&languages.Table)
	}
	table, problems := e.added().Table(&languages.Table)
	for _, p := range problems {
		fmt.Fprintf(e.err, "moai: warning: %s (what this file says does not count; mend it, then: moai rules check)\n", term.Text(p))
	}
	return table
}

// added is where the user adds languages. A folder that could have come with a clone adds none.
func (e *env) added() lang.Added {
	f := e.user()
	a := lang.Added{Config: f.Config, State: filepath.Join(f.State, "cache")}
	if f.Doubted {
		a.Config = ""
	}
	return a
}
