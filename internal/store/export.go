package store

import (
	"context"
	"strings"
)

// turnsAlone are the turns with the words of the prompt alone: in the table their time stands in front of them.
const turnsAlone = `(select project, session, number, began, last, ended, substr(request, 21) request, events, edits, ` + filesOf + ` files, commands,
	denied, questions, snapshots, failures from turns)`

// Export calls each for the columns of a table, and then for every row of it. Columns have the names that they have as JSON.
func (s *Store) Export(ctx context.Context, table string, each func(columns []string, values []any) error) error {
	query, err := s.exported(ctx, table)
	if err != nil {
		return err
	}
	found, err := s.db().QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	if err := each(columns, nil); err != nil {
		return err
	}
	for found.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := found.Scan(into...); err != nil {
			return err
		}
		if err := each(columns, values); err != nil {
			return err
		}
	}
	return found.Err()
}

// exported asks for all of one of Tables but its numbers of projects and parts, which say nothing outside of this store.
func (s *Store) exported(ctx context.Context, table string) (query string, err error) {
	from := table
	if table == "turns" {
		from = turnsAlone
	}
	found, err := s.db().QueryContext(ctx, "select * from "+from+" limit 0")
	if err != nil {
		return "", err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return "", err
	}
	var what []string
	for _, c := range columns {
		switch {
		case c == "part", table == "projects" && c == "id":
		case c == "project":
			what = append(what, keyOf+" as project")
		default:
			what = append(what, `"`+c+`" as "`+named(table, c)+`"`)
		}
	}
	return "select " + strings.Join(what, ", ") + " from " + from, found.Err()
}

// named is how a column of a table is called as JSON.
func named(table, column string) string {
	switch column {
	case "session":
		return "session_id"
	case "port":
		if table != "port_dependencies" {
			return "port_id"
		}
	case "type":
		if table == "agents" {
			return "agent_type"
		}
		return "event_type"
	case "number":
		return "turn"
	case "request":
		return "prompt"
	case "questions":
		return "asked"
	case "first":
		return "first_event"
	case "last":
		if table == "files" {
			return "last_edit"
		}
		return "last_event"
	case "created":
		return "created_at"
	case "asked", "began", "ended":
		return column + "_at"
	}
	return column
}

// Tables are the names of what can be exported.
func (s *Store) Tables(ctx context.Context) ([]string, error) {
	type name struct{ Name string }
	found, err := list[name](ctx, s.db(), "select name from sqlite_schema where type in ('table', 'view') and name not like 'sqlite_%' and name not in ('parts', 'generation', 'hours') order by name")
	var names []string
	for _, n := range found {
		names = append(names, n.Name)
	}
	return names, err
}
