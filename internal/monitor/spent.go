package monitor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/disk"
)

// Bounds of what is read to count tokens: of all the files of a session together, of one line, and of files.
const (
	maxSpent     = 1 << 30
	maxSpentLine = 4 << 20
	maxSpentSubs = 2_000
)

// Span is a time, open at the end where Until is zero.
type Span struct{ From, Until time.Time }

func (s Span) holds(t time.Time) bool {
	return !t.Before(s.From) && (s.Until.IsZero() || !t.After(s.Until))
}

// Spent counts the tokens that a session and its sub-agents used in a time: what was new to the model and what it answered. What
// the client's cache held already is in every request again and does not count. Transcript is the session's own conversation;
// what cannot be read counts as nothing.
func Spent(transcript string, in Span) (tokens int) {
	if transcript == "" || in.From.IsZero() {
		return 0
	}
	left, seen := int64(maxSpent), map[string]bool{}
	tokens = spentIn(transcript, in, seen, &left)
	subs := filepath.Join(strings.TrimSuffix(transcript, ".jsonl"), "subagents")
	entries, _ := os.ReadDir(subs)
	for _, e := range entries[:min(len(entries), maxSpentSubs)] {
		if filepath.Ext(e.Name()) == ".jsonl" {
			tokens += spentIn(filepath.Join(subs, e.Name()), in, seen, &left)
		}
	}
	return tokens
}

// spentIn counts one file. A message of several parts stands there once for each, with one id and one usage.
func spentIn(path string, in Span, seen map[string]bool, left *int64) (tokens int) {
	f, _, err := disk.OpenFile(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.LimitReader(f, *left), maxSpentLine)
	for {
		text, err := r.ReadSlice('\n')
		*left -= int64(len(text))
		var l line
		if bytes.Contains(text, []byte(`"usage"`)) && json.Unmarshal(text, &l) == nil && in.holds(l.Timestamp) && !seen[l.Message.ID] {
			seen[l.Message.ID] = l.Message.ID != ""
			u := &l.Message.Usage
			tokens += max(u.Input, 0) + max(u.Created, 0) + max(u.Output, 0)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) { // of a line that is too long the parts are no lines
			return tokens
		}
	}
}
