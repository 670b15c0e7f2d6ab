package main

import (
	"context"

	"github.com/chromedp/chromedp"
)

// keeps looks at views that are open while things happen: each keeps itself up.
func (p *place) keeps(ctx context.Context) {
	p.t.Helper()
	p.hook(`{"hook_event_name":"UserPromptSubmit","prompt":"while it is looked at"`)
	p.do(ctx, chromedp.KeyEvent("4"), chromedp.WaitVisible(`.gr`))
	p.hook(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf ~/everything"}`)
	p.until(ctx, `[...document.querySelectorAll('.gr')].some(x => x.textContent.includes('~/everything'))`)
	p.do(ctx, chromedp.Evaluate(`document.querySelector('.gr').click()`, nil), chromedp.WaitVisible(`.gpanel`))
	p.hook(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf ~/nothing"}`)
	p.until(ctx, `[...document.querySelectorAll('.gr')].some(x => x.textContent.includes('~/nothing')) && document.querySelector('.gpanel').textContent.includes('~/everything') && document.querySelector('.gr.is-sel').textContent.includes('~/everything')`)

	p.do(ctx, chromedp.KeyEvent("\x1b"), chromedp.KeyEvent("5"), chromedp.WaitVisible(`.gantt`))
	p.hook(`{"hook_event_name":"SubagentStart","agent_id":"late","agent_type":"latecomer"`)
	p.until(ctx, `document.querySelector('main').textContent.includes('latecomer') && document.querySelector('.gb.run time')`)
	p.hook(`{"hook_event_name":"SubagentStop","agent_id":"late","agent_type":"latecomer","last_assistant_message":"done"`)
	p.until(ctx, `document.querySelectorAll('.gb.run:not(.key)').length === 1`) // the one of the beginning

	p.do(ctx, chromedp.KeyEvent("3"), chromedp.WaitVisible(`.ut`))
	p.write("plan.md", "while it is looked at\n")
	p.hook(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git checkout -- plan.md"}`)
	p.until(ctx, `[...document.querySelectorAll('.ut')].some(x => x.textContent.includes('git checkout -- plan.md'))`)
	p.do(ctx, chromedp.Evaluate(`[...document.querySelectorAll('.ut')].find(x => x.textContent.includes('git checkout -- plan.md')).click()`, nil), chromedp.WaitVisible(`.uplan .confirm`))
	p.write("plan.md", "another hand was here\n") // the plan sees it by itself
	p.until(ctx, `document.querySelector('.uplan .diff')?.textContent.includes('another hand was here')`)
	p.run("git", "checkout", "-q", "--", "plan.md")

	p.do(ctx, chromedp.KeyEvent("6"), chromedp.WaitVisible(`main tbody`))
	p.hook(`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"go test ./..."},"error":"Exit code 1\nFAIL"`)
	p.until(ctx, `document.querySelector('main .verdict.deny')?.textContent === 'Failed'`)
	p.hook(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"go test ./..."},"tool_response":{"stdout":"ok","stderr":"","interrupted":false}`)
	p.until(ctx, `document.querySelector('main .verdict.ok')?.textContent === 'Passed'`)
	p.hook(`{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"plan.md"},"tool_response":{}`)
	p.until(ctx, `document.querySelector('main').textContent.includes('files changed since')`)
}
