package checkpoint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/state"
)

// LogName is the history of checkpoints, relative to the working tree.
const LogName = ".moai/checkpoints.log"

// Record is one line of the history. The log is for people and for older programs; List reads the references.
type Record struct {
	Timestamp time.Time `json:"timestamp"`
	Branch    string    `json:"branch"`
	Operation string    `json:"operation"`
	Commit    string    `json:"commit,omitempty"`
	Command   string    `json:"command,omitempty"`
	Session   string    `json:"session,omitempty"`
	Files     int       `json:"files,omitempty"`
	Message   string    `json:"message,omitempty"`
	// Reused says that nothing had changed since the checkpoint was taken, so that Command got it and no new one.
	Reused bool `json:"reused,omitempty"`
	// Pruned is when the checkpoint went, and Why for what reason; such a line follows that of its making.
	Pruned *time.Time `json:"pruned,omitempty"`
	Why    string     `json:"why,omitempty"`
}

// maxLog bounds what History reads, and past it the log is begun anew with the old one kept as checkpoints.log.1.
const maxLog = 4 << 20

// logCreated adds a new checkpoint to the history.
func logCreated(r *repo.Repo, c *Checkpoint) error {
	return appendLog(r, Record{
		Timestamp: c.Time.UTC(), Branch: c.Name, Operation: c.Operation, Commit: c.Commit.String(),
		Command: c.Command, Session: c.Session, Files: c.Stats.Files(), Message: c.Message,
	})
}

// logReused adds that a command got the newest checkpoint, which was equal: Timestamp is when, and the operation, the words and the
// session are the command's own.
func logReused(r *repo.Repo, last, c *Checkpoint) error {
	return appendLog(r, Record{
		Timestamp: c.Time.UTC(), Branch: last.Name, Operation: c.Operation, Commit: last.Commit.String(),
		Command: c.Command, Session: c.Session, Files: c.Stats.Files(), Message: c.Message, Reused: true,
	})
}

// logRemoved adds those that went, so that somebody who has an old id learns what became of it.
func logRemoved(r *repo.Repo, list []Removed, now time.Time) error {
	lines := make([]Record, len(list))
	at := now.UTC().Truncate(time.Second)
	for i, c := range list {
		lines[i] = Record{Timestamp: c.Time.UTC(), Branch: c.Name, Operation: c.Operation, Commit: c.Commit.String(), Pruned: &at, Why: c.Why}
	}
	return appendLog(r, lines...)
}

// appendLog writes lines with one write, which keeps those of many processes whole. A .moai that is a link, or a log that
// is one, is not followed: in a cloned repository it could point anywhere.
func appendLog(r *repo.Repo, lines ...Record) error {
	if len(lines) == 0 {
		return nil
	}
	dir := filepath.Join(r.WorkTree, ".moai")
	switch fi, err := os.Lstat(dir); {
	case errors.Is(err, os.ErrNotExist):
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
	case err != nil:
		return err
	// A link counts as none: what it points at is not this project's.
	case !fi.IsDir():
		return errors.New(".moai is not a directory")
	}
	path := filepath.Join(r.WorkTree, filepath.FromSlash(LogName))
	switch fi, err := os.Lstat(path); {
	case err != nil:
		state.Hide(dir) // with the first line, also in a .moai that the project has for its rules and SPECs
	// A FIFO would hold up every checkpoint, and a link could point at any file of the user's.
	case !fi.Mode().IsRegular():
		return errors.New(LogName + " is not a file")
	case fi.Size() > maxLog:
		// One old log is kept; people read it, and nothing depends on it.
		_ = os.Rename(path, path+".1")
	}
	// Private: commands stand in it.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|disk.Nonblock|disk.NoFollow, 0o600)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b) // ends each with a newline
	for i := range lines {
		err = errors.Join(err, enc.Encode(&lines[i]))
	}
	if err == nil {
		_, err = f.Write(b.Bytes())
	}
	return errors.Join(err, f.Close())
}

// Pruned is the line of the history that tells of the newest checkpoint with this id that went; ok is false when there is none.
// The id is a name or a part of one, as Find takes it.
func Pruned(r *repo.Repo, id string) (rec Record, ok bool) {
	want := strings.TrimPrefix(strings.TrimPrefix(id, "refs/heads/"), "checkpoint/")
	list, err := History(r)
	if err != nil || len(want) < minPart {
		return rec, false
	}
	for _, l := range slices.Backward(list) {
		if l.Pruned != nil && (strings.Contains(l.Branch, want) || strings.HasPrefix(l.Commit, id)) {
			return l, true
		}
	}
	return rec, false
}

// History reads .moai/checkpoints.log, newest last. It knows what its predecessors wrote into the same file: JSON lines with
// three fields and a local time, blocks of "key: value" between "---" lines, and plain "time branch description". What it cannot
// read is skipped.
func History(r *repo.Repo) ([]Record, error) {
	if fi, err := os.Lstat(filepath.Join(r.WorkTree, ".moai")); err == nil && !fi.IsDir() {
		return nil, errors.New(".moai is not a directory")
	}
	f, fi, err := disk.OpenRegular(os.OpenFile, filepath.Join(r.WorkTree, filepath.FromSlash(LogName)), disk.NoFollow)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, errors.New(LogName + " is not a file")
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi.Size() > maxLog {
		// The newest lines are at the end. The first one is cut in two and will not parse.
		_, _ = f.Seek(fi.Size()-maxLog, 0)
	}
	var out []Record
	var block *Record
	s := bufio.NewScanner(f)
	// A command line can be long; a line of a megabyte is somebody's joke.
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line := strings.TrimSpace(s.Text())
		switch {
		case strings.HasPrefix(line, "{"):
			if rec, ok := jsonRecord(line); ok {
				out = append(out, rec)
			}
			block = nil
		case line == "---":
			// The same line ends a block and begins the next, as in YAML streams.
			if block != nil && block.Branch != "" {
				out = append(out, *block)
				block = nil
			} else {
				block = &Record{}
			}
		case block != nil:
			key, val, _ := strings.Cut(line, ":")
			val = strings.TrimSpace(val)
			switch key {
			case "checkpoint_id", "branch":
				block.Branch = val
			case "operation":
				block.Operation = val
			case "timestamp":
				block.Timestamp = anyTime(val)
			}
		case line != "":
			if rec, ok := plainRecord(line); ok {
				out = append(out, rec)
			}
		}
	}
	return out, s.Err()
}

// jsonRecord is lenient about the time, which the predecessors wrote without a zone.
func jsonRecord(line string) (Record, bool) {
	var raw struct {
		Record
		Timestamp   any    `json:"timestamp"`
		Description string `json:"description"`
	}
	if json.Unmarshal([]byte(line), &raw) != nil || raw.Branch == "" {
		return Record{}, false
	}
	switch t := raw.Timestamp.(type) {
	case string:
		raw.Record.Timestamp = anyTime(t)
	// Seconds since 1970, from the one that wrote numbers.
	case float64:
		raw.Record.Timestamp = time.Unix(int64(t), 0)
	}
	// What others call the description is the nearest thing to it.
	if raw.Operation == "" {
		raw.Operation = raw.Description
	}
	return raw.Record, true
}

// plainRecord finds the branch in a plain line; the time is before it and the operation behind.
func plainRecord(line string) (Record, bool) {
	f := strings.Fields(line)
	for i, w := range f {
		// The columns of plain lines were set off in as many ways as there were authors.
		w = strings.Trim(w, "|,;:[]")
		if !strings.HasPrefix(w, "checkpoint/") && !strings.HasPrefix(w, "before-") {
			continue
		}
		rec := Record{Branch: w, Operation: strings.Trim(strings.Join(f[i+1:], " "), " |:-")}
		rec.Timestamp = anyTime(strings.Trim(strings.Join(f[:i], " "), " |[]:-"))
		return rec, true
	}
	return Record{}, false
}

// anyTime reads the spellings of time that occur in old logs; those without a zone are local. Zero when it is none of them.
func anyTime(s string) time.Time {
	for _, l := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05.999999", "20060102-150405"} {
		if t, err := time.ParseInLocation(l, s, time.Local); err == nil {
			return t
		}
	}
	return time.Time{}
}
