package cli

import (
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
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/seat"
	"github.com/modu-ai/moai/internal/verify"
	"github.com/modu-ai/moai/internal/wire"
)

// eventTables joins the codecs with the generated events.
func eventTables() *wire.Tables {
	return &wire.Tables{Events: events.Events, Common: events.Common, Dialects: events.Dialects, Adapters: clients.Adapters, Tools: events.Tools, Find: events.Find}
}

// handleTables joins the handlers with the generated tables.
func (e *env) handleTables() handle.Tables {
	return handle.Tables{
		Risks: risks.Set(), Languages: &languages.Table, Contexts: contexts.Rules, Journal: journal.Types, Commands: journal.Commands,
		Tags: rule.Tags{Kinds: tables.Kinds, Problems: tables.Problems}, Specs: &specs.Table,
		Verify:  verify.Tables{Agents: &agents.All, Languages: &languages.Table},
		Quality: &quality.Table,
		Turns:   events.Turns, Locale: &events.Locale, Seat: e.seat(),
	}
}

// seat finds the client of the process that this is.
func (e *env) seat() seat.Finder {
	return seat.Finder{Clients: events.Clients, Hosts: events.Hosts, Terminals: events.Terminals, Getenv: e.getenv}
}
