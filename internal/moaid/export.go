package moaid

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/term"
)

func (e *env) newExport() *cobra.Command {
	asCSV := false
	c := &cobra.Command{
		Use:   "export TABLE",
		Short: "Print a table of what is known of all sessions",
		Long: `Prints all rows of a table, as JSON lines or as CSV. Columns have the names that
they have in the answers of moai serve; times are milliseconds since 1970. Tables
are agents, checkpoints, decisions, events, files, port_dependencies, ports,
projects, receipts, sessions, tool_calls, turns and verifications. A session that
worked in two projects has a row of sessions for each, and a call a row of
tool_calls for each thing that became known of it. Receipts are those of ports
that were ended (moai port end); runs of tests that failed are rows of events.`,
		Example: "  moai export turns --csv > turns.csv\n  moai export decisions",
		Args:    cobra.ExactArgs(1),
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return e.tables(c, args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			s, err := e.fed(c.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			tables, err := s.Tables(c.Context())
			if err != nil {
				return e.whole(c.Context(), s, err)
			}
			if !slices.Contains(tables, args[0]) {
				err := slip.Usagef("there is no table %q; there are %s", term.Clip(args[0], 60), strings.Join(tables, ", "))
				if near := term.Nearest(args[0], tables); near != "" {
					return slip.Hint(err, "moai export "+near)
				}
				return err
			}
			write := e.lines()
			if asCSV {
				write = e.rows()
			}
			var cannot error // what is wrong with the answer is none of the store's fault
			err = s.Export(c.Context(), args[0], func(columns []string, values []any) error {
				cannot = write(columns, values)
				return cannot
			})
			if cannot != nil {
				return cannot
			}
			return e.whole(c.Context(), s, err)
		},
	}
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV with a head, and no JSON lines")
	return c
}

// tables are the names that a completion offers. It asks the store as it lies there: names need no rows.
func (e *env) tables(c *cobra.Command, args []string) []string {
	if len(args) > 0 || e.state == "" {
		return nil
	}
	s, err := store.Open(e.state)
	if err != nil {
		return nil
	}
	defer s.Close()
	names, _ := s.Tables(c.Context())
	return names
}

// lines writes rows as JSON lines.
func (e *env) lines() func([]string, []any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	return func(columns []string, values []any) error {
		if values == nil {
			return nil
		}
		row := make(map[string]any, len(columns))
		for i, name := range columns {
			row[name] = values[i]
		}
		return enc.Encode(row)
	}
}

// rows writes the columns and then rows as CSV.
func (e *env) rows() func([]string, []any) error {
	w := csv.NewWriter(e.out)
	return func(columns []string, values []any) error {
		row := columns
		if values != nil {
			row = make([]string, len(values))
		}
		for i, v := range values {
			if text, is := v.(string); is {
				row[i] = cell(text)
			} else if v != nil {
				row[i] = fmt.Sprint(v)
			}
		}
		_ = w.Write(row) // Flush says what failed
		w.Flush()
		return w.Error()
	}
}

// cell puts an apostrophe before what a spreadsheet would take for a formula, or for the end of the cell before: texts come from
// strangers. A program may skip blanks and invisible signs before such a sign, and may read its full-width form as the same.
func cell(text string) string {
	begins := strings.TrimLeftFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.C) })
	if first, _ := utf8.DecodeRuneInString(begins); begins != "" && strings.ContainsRune("=+-@＝＋－＠", first) || strings.IndexAny(text, "\t\r\n") == 0 {
		return "'" + text
	}
	return text
}
