package monitor

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// The end of a turn waits for these readers, and a conversation grows for days. What the kernel counts is what this process has read; the test runs alone,
// so nothing else reads meanwhile but the count itself.
func TestOfALongConversationTheEndsAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.jsonl")
	last := []byte(`{"type":"assistant","message":{"id":"m","model":"x","content":[{"type":"text","text":"Done."}],"usage":{"input_tokens":7}}}` + "\n")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(append([]byte("\n"), last...), 50<<20); err != nil {
		t.Fatal(err)
	}
	f.Close()
	readers := map[string]struct {
		read func() bool // and it has seen the last line
		most int64
	}{
		"ReadMain":       {func() bool { return ReadMain(path).Tokens == 7 }, 256 << 10},
		"CallsOf":        {func() bool { _, whole := CallsOf(path, "Done."); return !whole }, 256 << 10},
		"NeverRan":       {func() bool { return len(NeverRan(path)) == 0 }, 256 << 10},
		"ReadTranscript": {func() bool { return ReadTranscript(path).Answer == "Done." }, 2 * 256 << 10}, // its beginning, too
	}
	for name, one := range readers {
		before := bytesRead(t)
		if !one.read() {
			t.Errorf("%s has not seen the last line", name)
		}
		const counting = 4 << 10 // of the count itself
		if n := bytesRead(t) - before; n > one.most+counting || n < 256<<10 {
			t.Errorf("%s read %d bytes of 50 MiB, want %d at most", name, n, one.most)
		}
	}
}

// bytesRead is how much this process has read since it began.
func bytesRead(t *testing.T) int64 {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("the kernel does not count: ", err)
	}
	said, ok := bytes.CutPrefix(text, []byte("rchar: "))
	line, _, _ := bytes.Cut(said, []byte("\n"))
	n, err := strconv.ParseInt(string(line), 10, 64)
	if !ok || err != nil {
		t.Fatalf("no count in %q", text)
	}
	return n
}
