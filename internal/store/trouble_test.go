package store

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// A database that cannot be used is told from a damaged one, and why.
func TestTrouble(t *testing.T) {
	s := opened(t, t.TempDir())
	other, err := sql.Open("sqlite", "file:"+filepath.ToSlash(Path(s.StateDir))+"?_pragma=busy_timeout(0)")
	kit.Must(t, err)
	defer other.Close()
	tx, err := s.db().Begin() // immediate
	kit.Must(t, err)
	_, err = other.Exec("delete from events")
	if !Busy(err) || Broken(err) || Full(err) || Unwritable(err) {
		t.Errorf("locked: %v", err)
	}
	kit.Must(t, tx.Rollback())
	if _, err := other.Exec("pragma query_only = 1; delete from events"); !Unwritable(err) || Broken(err) {
		t.Errorf("read-only: %v", err)
	}
	kit.Must(t, other.Close())
	if other, err = sql.Open("sqlite", "file:"+filepath.ToSlash(Path(s.StateDir))); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exec("pragma max_page_count = 1; create table x as with recursive n(i) as (select 1 union all select i + 1 from n limit 100000) select i from n"); !Full(err) {
		t.Errorf("full: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	kit.Must(t, os.WriteFile(file, nil, 0o600))
	if _, err := Open(filepath.Join(file, "below")); runtime.GOOS != "windows" && !Unwritable(err) {
		t.Errorf("below a file: %v", err)
	}
	if err := errors.New("x"); Busy(err) || Full(err) || Unwritable(err) || Busy(nil) {
		t.Error("another error is one of those")
	}
}
