package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/journal"
)

// portion is how much of a journal, in bytes, is read within one transaction.
const portion = 8 << 20

// Journals is the folder of all journals.
func Journals(stateDir string) string { return filepath.Join(stateDir, "journal") }

// Fed is what came of a feeding.
type Fed struct {
	Events  int // that are new
	Dropped int // that are gone from the journals
	Skipped int // lines that could not be read
}

// Feed reads what was written into the journals since the last time.
func (s *Store) Feed(ctx context.Context) (fed Fed, err error) {
	paths, err := journal.Journals(Journals(s.StateDir))
	if err != nil {
		return fed, err
	}
	for _, path := range paths {
		if err := s.feedOne(ctx, path, &fed); err != nil {
			return fed, fmt.Errorf("feed store from %s: %w", filepath.Base(path), err)
		}
	}
	return fed, nil
}

// feedOne reads one journal. Files that are as long as they were are not opened.
func (s *Store) feedOne(ctx context.Context, path string, fed *Fed) error {
	parts, err := journal.Parts(path)
	if err != nil {
		return err
	}
	if slices.Equal(parts, s.read[path]) {
		return nil
	}
	project, err := s.project(ctx, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	if err != nil {
		return err
	}
	heads := make([]string, len(parts))
	for i := range parts {
		if heads[i], err = s.head(&parts[i], path); err != nil {
			return closed(err)
		}
	}
	// What is gone goes first: the lines of a file that somebody has written anew have the ids of those that it had.
	if err := s.drop(ctx, project, heads, fed); err != nil {
		return err
	}
	for i := range parts {
		if now, err := s.head(&parts[i], path); err != nil || now != heads[i] {
			return closed(err) // it has got another name meanwhile
		}
		for more := heads[i] != ""; more; {
			if more, err = s.take(ctx, project, &parts[i], heads[i], fed); err != nil {
				return closed(err)
			}
		}
	}
	s.read[path] = parts
	return nil
}

// closed is no error where a file was closed meanwhile: the next look finds it under its new name.
func closed(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// head is the first line of a file; that of a closed one stays as it is.
func (s *Store) head(p *journal.Part, active string) (string, error) {
	if p.Size == 0 {
		delete(s.heads, p.Path) // emptied: what it held is gone
		return "", nil
	}
	if head, ok := s.heads[p.Path]; ok {
		return head, nil
	}
	head, err := p.Head()
	if err == nil && head != "" && p.Path != active {
		s.heads[p.Path] = head
	}
	return head, err
}

// project is the number of a project, by the name of its journal.
func (s *Store) project(ctx context.Context, key string) (id int64, err error) {
	err = s.db().QueryRowContext(ctx, "select id from projects where key = ?", key).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err = s.db().ExecContext(ctx, "insert into projects (key) values (?) on conflict do nothing", key); err == nil {
			err = s.db().QueryRowContext(ctx, "select id from projects where key = ?", key).Scan(&id)
		}
	}
	return id, err
}

// take takes in a portion of a file and how far it goes, together; more reports that there is another one.
func (s *Store) take(ctx context.Context, project int64, p *journal.Part, head string, fed *Fed) (more bool, err error) {
	tx, err := s.db().BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }()
	var part, at, before int64
	err = tx.QueryRowContext(ctx, `insert into parts (project, head) values (?, ?)
		on conflict do update set at = at returning id, at`, project, head).Scan(&part, &at)
	if err != nil {
		return false, err
	}
	if err := tx.QueryRowContext(ctx, "select coalesce(max(seq), 0) from events").Scan(&before); err != nil {
		return false, err
	}
	if !p.Goes(at) { // somebody has changed the file: what it holds now counts, from its beginning
		if err := s.anew(ctx, tx, part, fed); err != nil {
			return false, err
		}
		at = 0
	}
	in := inserts{tx: tx, project: project, part: part}
	to, skipped, err := p.Read(at, portion, func(e *journal.Event) error { return in.add(ctx, e) })
	if err != nil {
		return false, err
	}
	if to == at {
		return false, nil
	}
	if err := in.flush(ctx); err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, fold, before); err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, "update parts set at = ?, skipped = skipped + ? where id = ?", to, skipped+in.odd, part); err != nil {
		return false, err
	}
	if err := tx.Commit(); err != nil {
		return false, err
	}
	fed.Events += in.new
	fed.Skipped += skipped + in.odd
	return to-at >= portion, nil
}

// anew forgets what was read of a file.
func (s *Store) anew(ctx context.Context, tx *sql.Tx, part int64, fed *Fed) error {
	done, err := tx.ExecContext(ctx, "delete from events where part = ?", part)
	if err != nil {
		return err
	}
	n, _ := done.RowsAffected() // the driver knows it
	fed.Dropped += int(n)
	if _, err := tx.ExecContext(ctx, "update parts set at = 0, skipped = 0 where id = ?", part); err != nil {
		return err
	}
	clear(s.seen)
	return refold(ctx, tx)
}

// drop forgets what is gone from a journal: journal.keep_days counts here, too. What was put together from it is put
// together anew from what is left.
func (s *Store) drop(ctx context.Context, project int64, heads []string, fed *Fed) error {
	kept := map[string]bool{}
	for _, h := range heads {
		kept[h] = true
	}
	rows, err := s.db().QueryContext(ctx, "select id, head from parts where project = ?", project)
	if err != nil {
		return err
	}
	defer rows.Close()
	var gone []int64
	for rows.Next() {
		var id int64
		var head string
		if err := rows.Scan(&id, &head); err != nil {
			return err
		}
		if !kept[head] {
			gone = append(gone, id)
		}
	}
	if err := rows.Err(); err != nil || len(gone) == 0 {
		return err
	}
	tx, err := s.db().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, id := range gone {
		done, err := tx.ExecContext(ctx, "delete from events where part = ?", id)
		if err != nil {
			return err
		}
		n, _ := done.RowsAffected() // the driver knows it
		fed.Dropped += int(n)
		if _, err := tx.ExecContext(ctx, "delete from parts where id = ?", id); err != nil {
			return err
		}
	}
	if err := refold(ctx, tx); err != nil {
		return err
	}
	clear(s.seen)
	return tx.Commit()
}

// refold puts everything together anew.
func refold(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, "delete from sessions; delete from turns; delete from files; delete from agents; delete from hours"); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, fold, 0)
	return err
}

// rowsAtOnce is how many events one statement takes in: each statement costs as much as some rows do.
const rowsAtOnce = 64

// inserts collects events for statements of many rows.
type inserts struct {
	tx            *sql.Tx
	project, part int64
	args          []any
	full          *sql.Stmt
	new           int
	odd           int // lines that no moai has written, or whose details no database takes
}

const (
	insertHead = "insert or ignore into events (project, part, id, session, turn, port, type, severity, created, summary, details) values "
	insertRow  = "(?,?,?,?,?,?,?,?,?,?,?)"
	inRow      = 11
)

// firstYear is the first from which an event can be: a clock that was wrong, or a stranger's line, would move a whole turn into the past.
const firstYear = 2020

// maxTurn is the largest number of a turn that is believed.
const maxTurn = 1 << 30

func (in *inserts) add(ctx context.Context, e *journal.Event) error {
	var details any
	if !sound(e.Details) || e.Created.Year() < firstYear {
		in.odd++
		return nil
	}
	if len(e.Details) > 0 {
		details = string(e.Details)
	}
	turn := e.Turn
	if turn < 0 || turn > maxTurn {
		turn = 0 // no session has so many turns: the line is damaged, or made up
	}
	in.args = append(in.args, in.project, in.part, e.ID, e.Session, turn, e.Port, e.Type, e.Severity, e.Created.UnixMilli(), e.Summary, details)
	if len(in.args) < rowsAtOnce*inRow {
		return nil
	}
	return in.flush(ctx)
}

func (in *inserts) flush(ctx context.Context) (err error) {
	n := len(in.args) / inRow
	if n == 0 {
		return nil
	}
	var done sql.Result
	text := insertHead + strings.TrimSuffix(strings.Repeat(insertRow+",", n), ",")
	if n == rowsAtOnce {
		if in.full == nil {
			if in.full, err = in.tx.PrepareContext(ctx, text); err != nil {
				return err
			}
		}
		done, err = in.full.ExecContext(ctx, in.args...)
	} else {
		done, err = in.tx.ExecContext(ctx, text, in.args...)
	}
	if err != nil {
		return err
	}
	added, _ := done.RowsAffected() // the driver knows it
	in.new += int(added)
	in.args = in.args[:0]
	return nil
}

// Bounds of what details may hold: SQLite takes JSON of up to 1000 levels, and numbers are 64 bits long.
const (
	deepest = 100
	largest = 4e18
)

// sound reports details that every question can be asked of: not too deep, and without a number that is none, or that 64 bits do not hold.
// They are valid JSON, as the journal's reader has seen.
func sound(details []byte) bool {
	depth := 0
	for i := 0; i < len(details); i++ {
		switch c := details[i]; {
		case c == '"':
			for i++; i < len(details) && details[i] != '"'; i++ {
				if details[i] == '\\' {
					i++
				}
			}
		case c == '{' || c == '[':
			if depth++; depth > deepest {
				return false
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || c >= '0' && c <= '9':
			from := i
			for i+1 < len(details) && strings.IndexByte("+-.eE0123456789", details[i+1]) >= 0 {
				i++
			}
			if n, err := strconv.ParseFloat(string(details[from:i+1]), 64); err != nil || math.Abs(n) > largest {
				return false
			}
		}
	}
	return true
}
