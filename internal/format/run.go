package format

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/disk"
)

// Why a formatter gave nothing.
var (
	ErrMissing = errors.New("it is not installed")
	ErrRefused = errors.New("it does not take the file")           // mostly a syntax error, which is no fault of its; where it takes none, it is
	ErrHung    = errors.New("it did not end in time")              // off for the session
	ErrFlooded = errors.New("it printed far more than it read")    // off for the session
	ErrEmpty   = errors.New("it gave nothing back")                // off for the session
	ErrLost    = errors.New("it gave back a part of what it read") // off for the session
	ErrStopped = errors.New("nobody waits for it any more")        // which is no fault of its
)

// Patience is how long a formatter may take for a file.
const Patience = 3 * time.Second

// Faulty reports an error for which a formatter is not run again.
func Faulty(err error) bool {
	return errors.Is(err, ErrHung) || errors.Is(err, ErrFlooded) || errors.Is(err, ErrEmpty) || errors.Is(err, ErrLost)
}

// Bounds of what comes out.
const (
	maxErr   = 64 << 10
	atLeast  = 64 << 10
	maxTimes = 4
)

// Run formats the text of a file. It has as long as the context says, and Patience at most.
func (c *Choice) Run(ctx context.Context, path string, text []byte, env []string, getenv func(string) string) ([]byte, error) {
	if c.Builtin != "" {
		out, err := format.Source(text)
		if err != nil {
			return nil, ErrRefused
		}
		return out, nil
	}
	program, found := child.Find(c.Argv[0], c.Folders(), getenv)
	if !found {
		return nil, ErrMissing
	}
	var copied string
	if c.Writes {
		folder, err := os.MkdirTemp("", "moai-format-")
		if err != nil {
			return nil, fmt.Errorf("make a folder for the copy: %w", err)
		}
		defer os.RemoveAll(folder)
		if copied, err = c.copied(folder, path, text); err != nil {
			return nil, err
		}
		path = copied
	}
	args := make([]string, len(c.Argv))
	fill := strings.NewReplacer(append([]string{"{file}", path, "{extension}", strings.TrimPrefix(filepath.Ext(path), ".")}, c.filled()...)...)
	for i, a := range c.Argv {
		args[i] = fill.Replace(a)
	}
	out := &bounded{left: max(atLeast, maxTimes*len(text))}
	said := &bounded{left: maxErr}
	run := child.Command{Path: program, Args: args, Dir: c.Dir, Env: env, In: bytes.NewReader(text), Out: out, Err: said, Apart: true}
	own, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	ended, err := run.Run(own)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	case errors.Is(ended.Cause, errFull):
		return nil, ErrFlooded
	case ended.Cause != nil && ctx.Err() != nil:
		return nil, ErrStopped
	case ended.Cause != nil:
		return nil, ErrHung
	case ended.Exit != 0 && !slices.Contains(c.Exits, ended.Exit):
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()+"\n"+out.String()), "\n")
		return nil, fmt.Errorf("%w: exit code %d: %s", ErrRefused, ended.Exit, first)
	case c.Takes != "":
		return c.taken(out.Bytes(), text)
	case c.Writes:
		return c.sound(text, readPlain(copied, maxTimes*len(text)+atLeast))
	case c.Silent && out.Len() == 0:
		return text, nil
	}
	return c.sound(text, out.Bytes())
}

// sound is what a formatter made of a text, if it can be one.
func (c *Choice) sound(text, out []byte) ([]byte, error) {
	switch {
	case len(bytes.TrimSpace(out)) == 0 && len(bytes.TrimSpace(text)) > 0:
		return nil, ErrEmpty
	case c.loses(text, out):
		return nil, ErrLost
	}
	return out, nil
}

// loses reports an output that can be no other form of a text: letters and digits of it are missing, or there are zero bytes. A formatter takes out a few; one
// that takes imports out, or mends what a linter finds, takes more.
func (c *Choice) loses(text, out []byte) bool {
	if bytes.IndexByte(out, 0) >= 0 && bytes.IndexByte(text, 0) < 0 {
		return true
	}
	had, has := letters(text), letters(out)
	if c.Ends {
		return has*4 < had
	}
	return has*10 < had*9-20
}

func letters(b []byte) (n int) {
	for _, c := range b {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			n++
		}
	}
	return n
}

// taken is the text in what a formatter printed, the one that it read where it says that nothing changed.
func (c *Choice) taken(out, text []byte) ([]byte, error) {
	var list []map[string]any
	if err := json.Unmarshal(out, &list); err != nil || len(list) == 0 {
		return nil, ErrRefused
	}
	if now, ok := list[0][c.Takes].(string); ok {
		return []byte(now), nil
	}
	return text, nil
}

// filled are the words of a command that files of the project have.
func (c *Choice) filled() (pairs []string) {
	for _, f := range c.Fill {
		word := f.Default
		for dir := c.Dir; ; dir = filepath.Dir(dir) {
			if text, _, err := disk.ReadFile(filepath.Join(dir, f.File), maxRead); err == nil {
				if _, rest, ok := strings.Cut(string(uncommented(text)), f.Text); ok {
					word, _, _ = strings.Cut(strings.TrimLeft(rest, " \"'"), "\n")
					word = word[:len(word)-len(strings.TrimLeftFunc(word, func(r rune) bool { return !strings.ContainsRune(" \"'\r", r) }))]
					break
				}
			}
			if dir == c.Root || filepath.Dir(dir) == dir {
				break
			}
		}
		pairs = append(pairs, "{"+f.Name+"}", word)
	}
	return pairs
}

var errFull = errors.New("too much")

// bounded takes so many bytes and no more.
type bounded struct {
	bytes.Buffer
	left int
}

var _ io.Writer = (*bounded)(nil)

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errFull
	}
	return b.Buffer.Write(p)
}
