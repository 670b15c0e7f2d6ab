package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	risktable "github.com/modu-ai/moai/generated/risks"
)

// logLevel is what MOAI_LOG, MOAI_DEBUG=1 and DEBUG ask for. Many programs read DEBUG as a list of
// names, so names of others say nothing here; a plain yes is for everybody.
func logLevel(getenv func(string) string) slog.Level {
	if getenv("MOAI_DEBUG") == "1" {
		return slog.LevelDebug
	}
	debug := getenv("DEBUG")
	if debug == "1" || debug == "true" {
		return slog.LevelDebug
	}
	for name := range strings.SplitSeq(debug, ",") {
		if name == "moai" {
			return slog.LevelDebug
		}
	}
	var level slog.Level
	if v := getenv("MOAI_LOG"); v != "" && level.UnmarshalText([]byte(v)) == nil {
		return level
	}
	return slog.LevelWarn
}

// hookLog collects records until emit decides whether they are shown. Its text
// handler is made for the first record: most calls have none.
type hookLog struct {
	out   io.Writer
	level slog.Level

	mu   sync.Mutex // a handler that was left behind may still write
	buf  bytes.Buffer
	text slog.Handler
}

// asked says that somebody wants to read more than warnings: they are worth a line on stderr for every call only then.
func (l *hookLog) asked() bool { return l.level < slog.LevelWarn }

// flush writes what has gathered, in one write: lines of processes that run at once stay whole.
func (l *hookLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buf.Len() > 0 { // nearly never
		_, _ = l.out.Write(l.buf.Bytes())
		l.buf.Reset()
	}
}

// Write takes one formatted record.
func (l *hookLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// Enabled implements slog.Handler.
func (l *hookLog) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }

// Handle implements slog.Handler.
func (l *hookLog) Handle(ctx context.Context, r slog.Record) error {
	quietly := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		switch v := a.Value.Any().(type) {
		case error:
			a.Value = slog.AnyValue(quiet{v})
		case string:
			a.Value = slog.StringValue(risktable.Set().Mask(v))
		}
		quietly.AddAttrs(a)
		return true
	})
	return l.handler().Handle(ctx, quietly)
}

// WithAttrs implements slog.Handler.
func (l *hookLog) WithAttrs(attrs []slog.Attr) slog.Handler { return l.handler().WithAttrs(attrs) }

// WithGroup implements slog.Handler.
func (l *hookLog) WithGroup(name string) slog.Handler { return l.handler().WithGroup(name) }

// handler is made when something is to be said: mostly nothing is, and making it costs more than a harmless call does.
func (l *hookLog) handler() slog.Handler {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text == nil {
		l.text = slog.NewTextHandler(l, &slog.HandlerOptions{Level: l.level})
	}
	return l.text
}
