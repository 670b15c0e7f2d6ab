package main

import (
	"context"
	"fmt"
	"os"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axe runs axe-core over every view, from the file that is named.
func (p *place) axe(ctx context.Context, file string) {
	p.t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	p.do(ctx, chromedp.Evaluate(string(source)+";0", nil))
	for i := range 9 {
		var found []string
		p.do(ctx, chromedp.KeyEvent(fmt.Sprint(i+1)))
		p.until(ctx, `!document.querySelector('main .sk')`)
		p.do(ctx, chromedp.Evaluate(`axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice']}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 2).map(n => n.html.slice(0, 160)).join(' | ')))`, &found,
			func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
		for _, v := range found {
			p.t.Errorf("view %d: %s", i+1, v)
		}
	}
}
