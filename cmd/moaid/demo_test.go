package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/chromedp"

	"github.com/modu-ai/moai/internal/kit"
)

// The recorded session is shown from folders that are made for it and gone with the server; nothing of the user's is written.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds both programs")
	}
	dir := t.TempDir()
	home, tmp := filepath.Join(dir, "home"), filepath.Join(dir, "tmp")
	for _, sub := range []string{home, tmp} {
		kit.Must(t, os.Mkdir(sub, 0o755))
	}
	c := exec.Command(filepath.Join(bothBuilt(t), "moai"), "serve", "--demo", "--no-open")
	c.Dir, c.Env = home, []string{"HOME=" + home, "TMPDIR=" + tmp, "PATH=" + os.Getenv("PATH")}
	out, err := c.StdoutPipe()
	kit.Must(t, err)
	kit.Must(t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") {
		t.Errorf("printed %q, %v", line, err)
	}
	if made, err := os.ReadDir(tmp); err != nil || len(made) != 1 {
		t.Errorf("%d folders were made, %v; want one", len(made), err)
	}
	kit.Must(t, c.Process.Signal(os.Interrupt))
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		_ = c.Process.Kill()
		t.Fatal("it goes on")
	}
	for _, place := range []string{home, tmp} {
		if left, err := os.ReadDir(place); err != nil || len(left) != 0 {
			t.Errorf("left in %s: %v, %v", place, left, err)
		}
	}
}

// recorded looks at each view of the demo, and at what the first row of it holds: everything that the page asks has an answer.
func (p *place) recorded() {
	p.t.Helper()
	dir := p.t.TempDir()
	q := &place{t: p.t, dir: dir, bin: p.bin, work: dir}
	q.start("--demo")
	ctx := q.window()
	q.watch(ctx)
	q.do(ctx, log.Enable(), emulation.SetDeviceMetricsOverride(1280, 860, 1, false), chromedp.Navigate(q.address))
	q.until(ctx, `document.querySelectorAll('.lane').length >= 3`)
	for view, row := range map[string]string{"timeline": ".tr.turn", "undo": ".ut", "guard": "[data-row]", "verification": "tbody [data-row]", "ports": "tbody [data-row]", "project": "tbody tr", "doctor": "tbody tr"} {
		q.do(ctx, chromedp.Evaluate(`location.hash = '`+view+`'`, nil))
		// In one step: the recording goes on, and draws rows anew.
		q.until(ctx, `(row => { if (row) row.click(); return row; })(document.querySelector('[data-view=`+view+`][aria-current]') && !document.querySelector('main .sk') && document.querySelector('main `+row+`'))`)
		q.until(ctx, `!document.querySelector('main .sk')`)
	}
}
