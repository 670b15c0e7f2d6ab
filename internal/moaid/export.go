package moaid

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/term"
)

func (e *env) newExport() *cobra.Command {
	asCSV := false
	c := &cobra.Command{
		Use:   "export TABLE",
		Short: "Print a table of what is known of all sessions",
		Long: `Prints all rows of a table, as JSON lines or as CSV. Times are milliseconds since
1970. Tables are agents, checkpoints, decisions, events, files,
port_dependencies, ports, projects, receipts, sessions, tool_calls, turns and
verifications. A session that worked in two projects has a row of sessions for
each, and a call a row of tool_calls for each thing that became known of it.`,
		Example: "  moai export turns --csv > turns.csv\n  moai export decisions",
		Args:    cobra.ExactArgs(1),
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
				err := usagef("there is no table %q", term.Clip(args[0], 60))
				if near := term.Nearest(args[0], tables); near != "" {
					return &hinted{err, "moai export " + near}
				}
				return err
			}
			write := e.lines()
			if asCSV {
				write = e.rows()
			}
			return e.whole(c.Context(), s, s.Export(c.Context(), args[0], write))
		},
	}
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV with a head, and no JSON lines")
	return c
}

// lines writes rows as JSON lines.
func (e *env) lines() func([]string, []any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	return func(columns []string, values []any) error {
		row := make(map[string]any, len(columns))
		for i, name := range columns {
			row[name] = values[i]
		}
		return enc.Encode(row)
	}
}

// rows writes rows as CSV. What a spreadsheet would take for a formula gets an apostrophe: texts come from strangers.
func (e *env) rows() func([]string, []any) error {
	w := csv.NewWriter(e.out)
	begun := false
	return func(columns []string, values []any) error {
		if !begun {
			begun = true
			_ = w.Write(columns) // Flush says what failed
		}
		row := make([]string, len(values))
		for i, v := range values {
			if v == nil {
				continue
			}
			row[i] = fmt.Sprint(v)
			if text, is := v.(string); is && text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
				row[i] = "'" + text
			}
		}
		_ = w.Write(row)
		w.Flush()
		return w.Error()
	}
}
