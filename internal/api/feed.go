package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/modu-ai/moai/internal/store"
)

// Times of the feed. Events are looked for when the system tells of a change, and by the clock where it does not.
const (
	pollPause    = 150 * time.Millisecond // where nothing tells of changes
	watchedPause = 2 * time.Second        // where something does, in case that it misses one
	settle       = 15 * time.Millisecond  // changes come in bursts
	recordsPause = 3 * time.Second
)

// kept is how many events stay at hand for the streams.
const kept = 4096

// frame is an event, as streams send it.
type frame struct {
	store.Event
	data []byte
}

// Feed takes in what journals get, and hands it to all streams. It knows no stream and waits for none: each asks for what
// came behind what it has.
type Feed struct {
	Me  Me
	Log *slog.Logger

	store *store.Store
	busy  sync.Mutex // one feeding at a time

	mu    sync.Mutex
	ring  []frame // the newest, in their order
	first int64   // nothing between this number and the ring is missing
	news  chan struct{}

	streams atomic.Int64 // that are open
	dropped atomic.Int64 // that were too slow
	fed     atomic.Int64 // events since the start
	broken  atomic.Bool  // the store is damaged, and not whole again
}

// NewFeed is a feed of a store.
func NewFeed(s *store.Store, log *slog.Logger) *Feed {
	return &Feed{store: s, Log: log, news: make(chan struct{})}
}

// Run feeds until ctx ends.
func (f *Feed) Run(ctx context.Context) error {
	last, err := f.store.Last(ctx)
	if ctx.Err() != nil { // it was to end before it began
		return nil
	}
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.first = last
	f.mu.Unlock()
	changes, pause, stop := f.watch()
	defer stop()
	tick := time.NewTicker(pause)
	defer tick.Stop()
	records := time.Now()
	for ctx.Err() == nil {
		if err := f.step(ctx); err != nil && ctx.Err() == nil {
			f.Log.Error("feed", "error", err)
		}
		if time.Since(records) > recordsPause {
			records = time.Now()
			if err := f.store.Records(ctx); err != nil && ctx.Err() == nil {
				f.Log.Error("read records", "error", err)
			}
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		case <-changes:
			time.Sleep(settle)
			for drained := false; !drained; {
				select {
				case <-changes:
				default:
					drained = true
				}
			}
		}
	}
	return nil
}

// watch has the system tell of changes in the folder of journals; where it cannot, the clock has to do.
func (f *Feed) watch() (changes <-chan fsnotify.Event, pause time.Duration, stop func()) {
	dir := store.Journals(f.store.StateDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, pollPause, func() {}
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, pollPause, func() {}
	}
	if err := w.Add(dir); err != nil {
		_ = w.Close()
		return nil, pollPause, func() {}
	}
	go func() {
		for range w.Errors { // too many changes: the next look finds them all
		}
	}()
	return w.Events, watchedPause, func() { _ = w.Close() }
}

// step takes in what is new, and tells the streams.
func (f *Feed) step(ctx context.Context) error {
	f.busy.Lock()
	defer f.busy.Unlock()
	fed, err := f.store.Feed(ctx)
	if store.Broken(err) || f.broken.Load() {
		f.broken.Store(true)
		f.Log.Error("the store is damaged, and is made anew", "error", err)
		if err = f.store.SetAside(); err == nil {
			f.mu.Lock()
			f.ring, f.first = nil, 0
			f.mu.Unlock()
			if fed, err = f.store.Feed(ctx); err == nil {
				err = f.store.Records(ctx)
			}
			f.broken.Store(err != nil)
		}
	}
	f.fed.Add(int64(fed.Events))
	if err != nil {
		return err
	}
	for {
		more, err := f.store.After(ctx, f.last(), 500)
		if err != nil || len(more) == 0 {
			return err
		}
		f.publish(more)
	}
}

// last is the number of the last event that the streams were told of.
func (f *Feed) last() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.ring); n > 0 {
		return f.ring[n-1].Seq
	}
	return f.first
}

func (f *Feed) publish(events []store.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range events {
		f.ring = append(f.ring, framed(&events[i]))
	}
	if over := len(f.ring) - kept; over > 0 {
		f.first = f.ring[over-1].Seq
		f.ring = append([]frame(nil), f.ring[over:]...)
	}
	close(f.news)
	f.news = make(chan struct{})
}

func framed(e *store.Event) frame {
	data, err := json.Marshal(e)
	if err != nil {
		data = []byte("{}") // of what a database has returned, there is none
	}
	return frame{*e, data}
}

// behind are the events that came behind a number, and what tells of more. What is no longer at hand is read from the store.
func (f *Feed) behind(ctx context.Context, seq int64) (frames []frame, news <-chan struct{}, err error) {
	f.mu.Lock()
	news = f.news
	if seq >= f.first {
		at := len(f.ring)
		for at > 0 && f.ring[at-1].Seq > seq {
			at--
		}
		frames = f.ring[at:len(f.ring):len(f.ring)]
		f.mu.Unlock()
		return frames, news, nil
	}
	f.mu.Unlock()
	older, err := f.store.After(ctx, seq, 500)
	for i := range older {
		frames = append(frames, framed(&older[i]))
	}
	return frames, news, err
}
