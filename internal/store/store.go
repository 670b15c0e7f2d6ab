// Package store is what can be asked of all journals at once: an SQLite database that is fed from them.
//
// It is no truth of its own: it can be deleted at any time, and is made again from the journals. Its invariants: an event is
// known by its id, however often its line is read; how far a journal was read is kept with the events that were read, in one
// transaction; what is put together from events is the same for one feeding as for many; and what is gone from the journals
// is gone from here.
//
//   - migrations/*.sql are the tables, fold.sql puts sessions, turns, files and agents together from events, by sums,
//     least and greatest alone, so that it does not matter in which portions they come. Decisions, snapshots, looks
//     and receipts are views of the events. TestRebuiltEqualsFed feeds one while files are closed and dropped, and
//     compares it with one that is made anew.
//   - How far a file was read is kept under the file's first line: closed, it gets another name. What is gone from a
//     journal (`journal.keep_days`) goes from the store, too.
//   - modernc.org/sqlite and ncruces' were tried with one program each: size, time to write 300,000 rows and to look
//     through them are alike; the smaller one it is.
//   - A million events: `MOAI_STORE_EVENTS=1000000 go test -v -run TestLarge ./internal/store`. Each question of the
//     page is to take less than 50 ms then.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/journal"
	"modernc.org/sqlite" // also registers the driver
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed fold.sql
var fold string

// Path is where the database lies in the state folder.
func Path(stateDir string) string { return filepath.Join(stateDir, "store", "events.db") }

// Store is an open database.
type Store struct {
	StateDir string
	Aside    string // what was there, and could not be used, lies there now; "" for nothing

	conn  atomic.Pointer[sql.DB]
	heads map[string]string // the first lines of closed files, by their paths

	read map[string][]journal.Part // the files of each journal, as they were at the last feeding
	seen map[string]time.Time      // when the record of each session changed last
}

// options have a writer wait for another one, and readers for nobody.
const options = "_txlock=immediate&_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&_pragma=cache_size(-32768)"

// errNewer says that a newer moai made the database.
var errNewer = errors.New("the database is of a newer moai")

// Codes of SQLite: for what is no database, or a damaged one, and for one that cannot be used now.
const (
	codeCorrupt    = 11
	codeNotDB      = 26
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeIO         = 10
	codeFull       = 13
	codeCannotOpen = 14
)

// Broken reports an error that says that the database is damaged, or that somebody has taken tables out of it.
func Broken(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code()&0xff == codeCorrupt || e.Code()&0xff == codeNotDB || strings.Contains(e.Error(), "no such table"))
}

// code is SQLite's for an error, 0 for others.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// Busy reports that another program has had the database locked for as long as one waits.
func Busy(err error) bool { return code(err) == codeBusy || code(err) == codeLocked }

// Full reports that there is no room.
func Full(err error) bool {
	return code(err) == codeFull || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// Unwritable reports that the database, or its folder, cannot be written, or not be opened at all.
func Unwritable(err error) bool {
	switch code(err) {
	case codeReadOnly, codeIO, codeCannotOpen:
		return true
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}

// Open opens the database of a state folder, and makes it where there is none. One that is damaged, of a newer moai, or no file
// is set aside.
func Open(stateDir string) (*Store, error) {
	path := Path(stateDir)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make folder of the store: %w", err)
	}
	db, err := open(path, migrations)
	aside := ""
	if errors.Is(err, errNewer) || errors.Is(err, disk.ErrNotRegular) || Broken(err) {
		if aside, err = setAside(path); err == nil {
			db, err = open(path, migrations)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	s := &Store{StateDir: stateDir, Aside: aside, read: map[string][]journal.Part{}, seen: map[string]time.Time{}, heads: map[string]string{}}
	s.conn.Store(db)
	return s, nil
}

func (s *Store) db() *sql.DB { return s.conn.Load() }

// Close closes the database.
func (s *Store) Close() error { return s.db().Close() }

// SetAside takes a database that turned out to be damaged out of the way, and begins a new one.
func (s *Store) SetAside() error {
	_ = s.db().Close()
	aside, err := setAside(Path(s.StateDir))
	if err != nil {
		return err
	}
	next, err := Open(s.StateDir)
	if err != nil {
		return err
	}
	s.conn.Store(next.db())
	s.Aside = aside
	clear(s.read)
	clear(s.seen)
	return nil
}

// setAside gives a database another name; only the last one that was set aside is kept.
func setAside(path string) (string, error) {
	aside := path + ".aside"
	for _, end := range []string{"-wal", "-shm"} {
		_ = os.Remove(path + end) // they belong to no other database
	}
	if err := os.Rename(path, aside); err != nil {
		return "", fmt.Errorf("set store aside: %w", err)
	}
	return aside, nil
}

// open opens one database and brings it to the last version of the tables.
func open(path string, steps fs.FS) (*sql.DB, error) {
	f, err := disk.OpenOwn(path, os.O_CREATE|os.O_RDWR) // SQLite would make it readable for others, and follow a link
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	at := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: options}
	db, err := sql.Open("sqlite", at.String())
	if err != nil {
		return nil, err
	}
	if err := migrate(db, steps); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// migrate runs the steps that a database has not seen yet, each in a transaction of its own.
func migrate(db *sql.DB, steps fs.FS) error {
	files, err := fs.Glob(steps, "migrations/*.sql")
	if err != nil {
		return err
	}
	for {
		done, err := migrateOne(db, steps, files)
		if err != nil || done {
			return err
		}
	}
}

func migrateOne(db *sql.DB, steps fs.FS, files []string) (done bool, err error) {
	tx, err := db.Begin() // another process may be at it, too
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }()
	version := 0
	if err := tx.QueryRow("pragma user_version").Scan(&version); err != nil {
		return false, err
	}
	if version > len(files) {
		return false, errNewer
	}
	if version == len(files) {
		return true, nil
	}
	step, err := fs.ReadFile(steps, files[version])
	if err != nil {
		return false, err
	}
	if _, err := tx.Exec(string(step)); err != nil {
		return false, fmt.Errorf("%s: %w", files[version], err)
	}
	if _, err := tx.Exec("pragma user_version = " + strconv.Itoa(version+1)); err != nil {
		return false, err
	}
	return false, tx.Commit()
}

// Last is the number of the last event.
func (s *Store) Last(ctx context.Context) (seq int64, err error) {
	err = s.db().QueryRowContext(ctx, "select coalesce(max(seq), 0) from events").Scan(&seq)
	return seq, err
}

// Skipped is how many lines of the journals could not be read.
func (s *Store) Skipped(ctx context.Context) (n int64, err error) {
	err = s.db().QueryRowContext(ctx, "select coalesce(sum(skipped), 0) from parts").Scan(&n)
	return n, err
}

// Generation is a word that no other store has: numbers of events mean something in this one alone.
func (s *Store) Generation(ctx context.Context) (word string, err error) {
	err = s.db().QueryRowContext(ctx, "select word from generation").Scan(&word)
	return word, err
}
