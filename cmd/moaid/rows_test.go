package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/modu-ai/moai/internal/kit"
)

// TestManyRows scrolls through a long timeline, a window of rows in each frame, and then drags to its end. While it scrolls no task of
// the page may hold up the frame: a browser calls one long from 50 ms on. MOAI_PAGE_EVENTS=100000 says how many events there are, four in
// a turn; only then, on a machine that does nothing else, is a long task an error.
func TestManyRows(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("MOAI_PAGE_EVENTS"))
	if err != nil {
		n = 12_000
	}
	p := newPlace(t)
	logs, err := filepath.Glob(filepath.Join(p.dir, "home", "state", "moai", "journal", "*.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("the journal: %v, %v", logs, err)
	}
	f, err := os.OpenFile(logs[0], os.O_APPEND|os.O_WRONLY, 0)
	kit.Must(t, err)
	w, first := bufio.NewWriter(f), time.Now().Add(-time.Duration(n)*8*time.Second)
	for i := range n {
		turn := i / 4
		body := [...]string{
			fmt.Sprintf(`"event_type":"user_request","summary":"prompt %d of the long day"`, turn),
			`"event_type":"decision","summary":"deny fs.delete-home","details":{"action":"deny","rules":["fs.delete-home"],"answer":"deny","tool":"Bash","command":"rm -rf ~"}`,
			`"event_type":"decision","summary":"ask git.push","details":{"action":"ask","rules":["git.push"],"answer":"ask","tool":"Bash","command":"git push"}`,
			`"event_type":"turn_end","summary":"turn ended","details":{"stop_hook_active":false}`,
		}[i%4]
		fmt.Fprintf(w, `{"id":"01J%023d","session_id":"old-%d","turn":%d,%s,"severity":"info","created_at":%q}`+"\n", i, turn/200, 1+turn%200, body, first.Add(time.Duration(i)*8*time.Second).UTC().Format(time.RFC3339Nano))
	}
	kit.Must(t, w.Flush())
	kit.Must(t, f.Close())
	if _, err := p.output("moai", "stats"); err != nil { // reads to the end, so that the page knows where the end is
		t.Fatal(err)
	}
	ctx := p.browse()
	p.until(ctx, `document.querySelector('.livedot .w').textContent === 'live'`)
	p.do(ctx, chromedp.KeyEvent("2"), chromedp.WaitVisible(`.tr.turn`))
	p.until(ctx, `+document.querySelector('#rows').textContent.replace(/\D/g, '') >= 1000`)
	// Four marks, one with a number of two digits, stay on one line and in their column.
	var fits bool
	p.do(ctx, emulation.SetDeviceMetricsOverride(1280, 860, 1, false), chromedp.Evaluate(`(() => {
		const row = document.querySelector('.tr.turn:has(.marks > span + span)'), m = row.querySelector('.marks'), added = [...m.children].map(x => x.cloneNode(true));
		m.append(...added);
		m.lastChild.firstChild.nextSibling.textContent = '13';
		const ok = m.scrollWidth <= m.clientWidth && [...m.children].every(x => x.offsetHeight <= row.clientHeight);
		added.forEach(x => x.remove());
		return ok;
	})()`, &fits))
	if !fits {
		t.Error("marks of a turn leave their column at 1280")
	}
	var got struct {
		Rows  int       `json:"rows"`
		Steps int       `json:"steps"`
		Long  []float64 `json:"long"`
		Drag  []float64 `json:"drag"`
		Most  int       `json:"most"`
	}
	p.do(ctx, chromedp.Evaluate(`(async () => {
		const el = document.querySelector('#vl'), long = [], frame = () => new Promise(requestAnimationFrame), wait = n => new Promise(r => setTimeout(r, n));
		new PerformanceObserver(l => l.getEntries().forEach(e => long.push(Math.round(e.duration)))).observe({ type: 'longtask' });
		let steps = 0, most = 0, rest = 0;
		await wait(300);
		long.length = 0;
		for (; steps < 100; steps++) {
			el.scrollTop += el.clientHeight;
			await frame();
		}
		await wait(100);
		const scroll = long.splice(0);
		while (rest < 20) {
			const before = el.scrollTop;
			el.scrollTop += el.clientHeight * 10;
			await frame();
			steps++;
			most = Math.max(most, el.childElementCount);
			if (el.scrollTop === before) { rest++; await wait(50); } else rest = 0;
		}
		await wait(300);
		return { rows: +document.querySelector('#rows').textContent.replace(/\D/g, ''), steps, long: scroll, drag: long, most };
	})()`, &got, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	t.Logf("%d rows in %d steps, at most %d in the document, long tasks of so many ms: %v, while it was dragged, ten windows a frame: %v", got.Rows, got.Steps, got.Most, got.Long, got.Drag)
	if got.Rows < n/4 {
		t.Errorf("%d rows, %d turns were made", got.Rows, n/4)
	}
	if got.Most > 120 {
		t.Errorf("%d rows are in the document at once", got.Most)
	}
	if len(got.Long) > 0 && os.Getenv("MOAI_PAGE_EVENTS") != "" {
		t.Errorf("tasks over 50 ms: %v", got.Long)
	}
}
