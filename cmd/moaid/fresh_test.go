package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"
)

// fresh opens the page of somebody who has just set moai up: there is no session yet, and every view can be reached all the same.
func (p *place) fresh() {
	p.t.Helper()
	dir := p.t.TempDir()
	q := &place{t: p.t, dir: dir, bin: p.bin, work: filepath.Join(dir, "anew")}
	for _, sub := range []string{q.work, filepath.Join(dir, "home")} {
		if err := os.MkdirAll(sub, 0o755); err != nil {
			q.t.Fatal(err)
		}
	}
	q.run("git", "init", "-q", "-b", "main")
	q.run(filepath.Join(q.bin, "moai"), "init", "--user", "--yes")
	q.start()
	ctx := q.window()
	q.watch(ctx)
	q.do(ctx, log.Enable(), emulation.SetDeviceMetricsOverride(1280, 860, 1, false), chromedp.Navigate(q.address))
	q.until(ctx, `document.querySelector('.empty') && document.querySelector('.livedot .w').textContent === 'live' && [...document.querySelectorAll('#which option')].some(x => x.textContent === 'anew' && x.selected)`)
	var text string
	q.do(ctx, chromedp.Evaluate(`document.querySelector('main').textContent`, &text))
	if strings.Contains(text, "moai init") {
		q.t.Errorf("hooks are registered, and the page says %q", text)
	}
	q.do(ctx, chromedp.KeyEvent("9"))
	q.until(ctx, `document.querySelector('main td .verdict')`)
	q.do(ctx, chromedp.KeyEvent("3"))
	q.until(ctx, `document.querySelector('main .empty')?.textContent.includes('Nothing to undo')`)
}
