package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"

	"github.com/modu-ai/moai/internal/kit"
)

// ports goes through ports: one that a shell makes comes by itself, and is moved by a menu, after a yes. Graph, list and drawer have one selection, and the
// focus stays where somebody was.
func (p *place) ports(ctx context.Context) {
	p.t.Helper()
	moai := filepath.Join(p.bin, "moai")
	p.do(ctx, chromedp.KeyEvent("7"))
	p.until(ctx, `location.hash === '#ports' && !document.querySelector('main .sk')`)
	p.run(moai, "port", "create", "login", "--title", "Log in", "--text", "by e-mail")
	p.run(moai, "port", "create", "a b; c", "--title", "Odd")
	p.until(ctx, `document.querySelector('tr[data-key=login]')`)
	p.until(ctx, `document.querySelector('tr[data-key="a b; c"] [data-copy]')?.dataset.copy.endsWith(" && moai port start 'a b; c'")`)

	p.do(ctx, chromedp.Evaluate(`document.querySelector('tr[data-key=login]').focus()`, nil), chromedp.KeyEvent("\r"), chromedp.WaitVisible(`.gpanel .mover select`))
	p.until(ctx, `location.hash === '#ports/login' && document.activeElement.dataset.key === 'login' && document.querySelector('[data-port=login].is-sel') && document.querySelector('tr.is-sel').dataset.key === 'login'`)
	p.until(ctx, `document.querySelector('.gpanel').textContent.includes('by e-mail') && !document.querySelector('.mover .primary')`)
	p.do(ctx, chromedp.Evaluate(`document.querySelector('[data-port="a b; c"]').focus()`, nil), chromedp.KeyEvent("\r"))
	p.until(ctx, `document.activeElement.dataset.port === 'a b; c' && document.querySelector('.gpanel h2').textContent === 'Odd'`)
	p.do(ctx, chromedp.KeyEvent("\x1b"))
	p.until(ctx, `!document.querySelector('.gpanel') && location.hash === '#ports'`)

	p.do(ctx, click(`[data-port=login]`), chromedp.WaitVisible(`.mover select`))
	p.do(ctx, chromedp.SetValue(`.mover select`, "block"), chromedp.Evaluate(`document.querySelector('.mover select').dispatchEvent(new Event('change'))`, nil), chromedp.SendKeys(`.mover input`, "no account yet"))
	p.do(ctx, click(`.mover .primary`), chromedp.WaitVisible(`.mover .sure`), click(`.mover .primary`))
	p.until(ctx, `document.querySelector('.mover').textContent.includes('is moved') && /Blocked.*no account yet/.test(document.querySelector('tr[data-key=login]').textContent)`)
	if out, err := p.output("moai", "port", "show", "login", "--json"); err != nil || !strings.Contains(out, `"status": "blocked"`) || !strings.Contains(out, "no account yet") {
		p.t.Errorf("the port says %s, %v", out, err)
	}

	// What ended without tests and verifiers does not look as if it had ended green.
	p.run(moai, "port", "end", "a b; c", "--yes")
	p.until(ctx, `/Ended unverified/.test(document.querySelector('tr[data-key="a b; c"]').textContent) && document.querySelector('tr[data-key="a b; c"] .ask')`)
	p.do(ctx, chromedp.KeyEvent("\x1b"))
}

// looks goes through what verifiers found: files, words and the verdict, in the list and in the drawer of a row.
func (p *place) looks(ctx context.Context) {
	p.t.Helper()
	p.write("login.go", "package login\n")
	p.hook(`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_use_id":"w","tool_input":{"file_path":"` + filepath.Join(p.work, "login.go") + `","content":"x"},"tool_response":{}`)
	p.hook(`{"hook_event_name":"SubagentStart","agent_id":"h","agent_type":"heimdall"`)
	p.hook(`{"hook_event_name":"SubagentStop","agent_id":"h","agent_type":"heimdall","last_assistant_message":"VERDICT: FAIL. login.go has no tests."`)
	p.do(ctx, chromedp.KeyEvent("6"))
	const row = `[...document.querySelectorAll('main tr[data-key]')].find(x => x.textContent.includes('heimdall'))`
	p.until(ctx, row+` && /Must change.*login\.go.*has no tests/.test(`+row+`.textContent)`)
	p.until(ctx, `[...document.querySelectorAll('main tr[data-key^="open "]')].some(x => x.textContent.includes('login.go'))`)
	p.do(ctx, chromedp.Evaluate(row+`.focus()`, nil), chromedp.KeyEvent("\r"), chromedp.WaitVisible(`.gpanel .vfiles`))
	p.until(ctx, `/What it said.*login\.go has no tests.*Files.*login\.go.*moai verify why --session s-1/.test(document.querySelector('.gpanel').textContent) && document.activeElement.matches('tr.is-sel')`)
	p.do(ctx, chromedp.KeyEvent("\x1b"))
	p.until(ctx, `!document.querySelector('.gpanel') && document.activeElement.matches('tr')`)
	p.do(ctx, chromedp.SendKeys(`#q`, "zzzzqq"))
	p.until(ctx, `document.querySelector('main').textContent.includes('Nothing matches')`)
	p.do(ctx, chromedp.KeyEvent("\x1b"))
}

// chains are as moai tags verify has them: what it does not miss is not needed.
func (p *place) chains(ctx context.Context) {
	p.t.Helper()
	for name, text := range map[string]string{
		".moai/specs/SPEC-AUTH-001/spec.md": "---\nid: AUTH-001\nstatus: completed\n---\n# @SPEC:AUTH-001 Log in\n", "auth.go": "package p\n\n// @CODE:AUTH-001\n", "auth_test.go": "package p\n\n// @TEST:AUTH-001\n",
		"pyproject.toml": "[project]\nname = \"p\"\nversion = \"1\"\nrequires-python = \">=3.10\"\n", "p.py": "x = 1\n",
		".moai/specs/SPEC-ORD-002/spec.md": "---\nid: ORD-002\nstatus: active\n---\n# @SPEC:ORD-002 Order\n",
	} {
		kit.Must(p.t, os.MkdirAll(filepath.Dir(filepath.Join(p.work, name)), 0o755))
		p.write(name, text)
	}
	const cells = `[...document.querySelector('[data-key="domain %"]')?.querySelectorAll('td') || []].map(x => x.textContent + x.querySelector('i').className).join()`
	p.do(ctx, chromedp.KeyEvent("8"))
	p.until(ctx, strings.ReplaceAll(cells, "%", "AUTH")+` === '1 of 1,1 of 1,1 of 1,not neededna'`)
	p.until(ctx, strings.ReplaceAll(cells, "%", "ORD")+` === '1 of 1,1 missingno error,1 missingno error,not neededna'`)
	p.until(ctx, `/2 links missing.*SPEC 1 of 2/.test(document.querySelector('.vh .facts')?.textContent) && /1 of 2 SPECs completed/.test(document.querySelector('.far')?.textContent)`)
	p.until(ctx, `/Python ≥ 3\.10 /.test(document.querySelector('.langs')?.textContent)`) // one sign, as on the command line
	p.write("ord_test.go", "package p\n\n// @TEST:ORD-002\n")                             // the page sees by itself what changes
	p.until(ctx, `/1 link missing.*SPEC 1 of 2/.test(document.querySelector('.vh .facts')?.textContent) && `+strings.ReplaceAll(cells, "%", "ORD")+` === '1 of 1,1 of 1,1 missingno error,not neededna'`)
	for _, name := range []string{".moai/specs", "auth.go", "auth_test.go", "ord_test.go", "pyproject.toml", "p.py"} {
		kit.Must(p.t, os.RemoveAll(filepath.Join(p.work, name)))
	}
}
