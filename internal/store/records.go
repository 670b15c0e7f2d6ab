package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"slices"

	"github.com/modu-ai/moai/internal/port"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
)

// Records takes in what is not in journals: who sessions are, where projects lie, and their ports.
func (s *Store) Records(ctx context.Context) error {
	tx, err := s.db().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, one := range session.All(s.StateDir) {
		if at, ok := s.seen[one.ID]; ok && at.Equal(one.Seen) {
			continue
		}
		done, err := tx.ExecContext(ctx, `update sessions set tty = ?, parent_pid = ?, fingerprint = ? where id = ?`,
			one.TTY, one.Client.PID, one.Fingerprint, one.ID)
		if err != nil {
			return err
		}
		lies, err := tx.ExecContext(ctx, "update projects set root = ? where key = ?", one.Project, state.ProjectKey(one.Project))
		if err != nil {
			return err
		}
		if err := visited(ctx, tx, one); err != nil {
			return err
		}
		n, _ := done.RowsAffected()
		if of, _ := lies.RowsAffected(); n > 0 && of > 0 { // its events, and its project, may come later than its record
			s.seen[one.ID] = one.Seen
		}
	}
	if err := s.ports(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Lies takes in where a project lies, also one in which nothing has happened yet.
func (s *Store) Lies(ctx context.Context, root string) error {
	id, err := s.project(ctx, state.ProjectKey(root))
	if err != nil {
		return err
	}
	_, err = s.db().ExecContext(ctx, "update projects set root = ? where id = ? and root = ''", root, id)
	return err
}

// visited finds where projects lie in which no session has begun, by where one works and what it wrote.
func visited(ctx context.Context, tx *sql.Tx, one *session.Session) error {
	unknown, err := list[Project](ctx, tx, "select id, key, root from projects where root = ''")
	if err != nil || len(unknown) == 0 {
		return err
	}
	seen := map[string]bool{}
	look := func(dir string) error {
		for ; dir != "" && !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			key := state.ProjectKey(dir)
			if !slices.ContainsFunc(unknown, func(p Project) bool { return p.Key == key }) {
				continue
			}
			if _, err := tx.ExecContext(ctx, "update projects set root = ? where key = ?", dir, key); err != nil {
				return err
			}
		}
		return nil
	}
	if err := look(one.Now.Tree()); err != nil {
		return err
	}
	for _, w := range one.Wrote {
		if err := look(filepath.Dir(w.Path)); err != nil {
			return err
		}
	}
	return nil
}

// ports takes in the ports of every project whose folder is known.
func (s *Store) ports(ctx context.Context, tx *sql.Tx) error {
	projects, err := list[Project](ctx, tx, "select id, key, root from projects where root <> ''")
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "delete from ports"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "delete from port_dependencies"); err != nil {
		return err
	}
	for _, p := range projects {
		if !filepath.IsAbs(p.Root) {
			continue
		}
		room := port.In(s.StateDir, p.Root, false)
		if !room.Used() {
			room = port.In(s.StateDir, p.Root, true)
		}
		ports, _ := room.List() // those that cannot be read are moai port's to tell
		for _, one := range ports {
			if _, err := tx.ExecContext(ctx, "insert or ignore into ports values (?, ?, ?, ?, ?, ?, ?, ?)", p.ID, one.ID, one.Title, one.Status,
				one.Why, one.Parent, one.Created.UnixMilli(), one.Ended.UnixMilli()); err != nil {
				return err
			}
			for _, needs := range one.Needs {
				if _, err := tx.ExecContext(ctx, "insert or ignore into port_dependencies values (?, ?, ?)", p.ID, one.ID, needs); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
