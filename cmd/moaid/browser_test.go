package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/kit"
)

// place is a project with both programs, a home of its own, and a server.
type place struct {
	t              *testing.T
	dir, bin, work string
	serve          *exec.Cmd
	address        string
	refused        bool // the server may say no from now on
}

func newPlace(t *testing.T) *place {
	t.Helper()
	if testing.Short() {
		t.Skip("builds both programs and starts a browser")
	}
	browser := ""
	for _, name := range []string{"chromium", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(name); err == nil && browser == "" {
			browser = found
		}
	}
	if browser == "" {
		t.Skip("needs Chromium: apt-get install chromium")
	}
	dir := t.TempDir()
	p := &place{t: t, dir: dir, bin: bothBuilt(t), work: filepath.Join(dir, "work")}
	for _, sub := range []string{p.work, filepath.Join(dir, "home")} {
		kit.Must(t, os.MkdirAll(sub, 0o755))
	}
	p.run("git", "init", "-q", "-b", "main")
	p.write("plan.md", "one\n")
	p.run("git", "add", ".")
	p.run("git", "commit", "-qm", "Begin")
	p.hook(`{"hook_event_name":"SessionStart","source":"startup"`)
	p.hook(`{"hook_event_name":"UserPromptSubmit","prompt":"<img src=x onerror=alert(1)> fix the login"`)
	p.hook(`{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"plan.md"},"tool_response":{}`)
	p.write("plan.md", "two\n")
	p.hook(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git reset --hard"}`)
	p.run("git", "reset", "-q", "--hard")
	p.hook(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf ~ # <script>alert(1)</script>"}`)
	p.hook(`{"hook_event_name":"SubagentStart","agent_id":"a","agent_type":"scout"`)
	p.start()
	return p
}

func (p *place) env() []string {
	home := filepath.Join(p.dir, "home")
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"CLAUDE_PROJECT_DIR=" + p.work, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.invalid", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.invalid",
	}
}

func (p *place) run(name string, args ...string) {
	p.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = p.work, p.env()
	if out, err := c.CombinedOutput(); err != nil {
		p.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// output is what one of the built programs prints.
func (p *place) output(name string, args ...string) (string, error) {
	c := exec.Command(filepath.Join(p.bin, name), args...)
	c.Dir, c.Env = p.work, p.env()
	out, err := c.Output()
	return string(out), err
}

func (p *place) write(name, text string) {
	p.t.Helper()
	kit.Write(p.t, filepath.Join(p.work, name), text)
}

// hook calls the real program, as a client does. What it refuses ends it with 2.
func (p *place) hook(begin string) {
	p.t.Helper()
	c := exec.Command(filepath.Join(p.bin, "moai"), "hook")
	c.Dir, c.Env = p.work, p.env()
	c.Stdin = strings.NewReader(begin + fmt.Sprintf(`,"session_id":"s-1","cwd":%q}`, p.work))
	if out, err := c.CombinedOutput(); err != nil && c.ProcessState.ExitCode() != 2 {
		p.t.Fatalf("hook %s: %v\n%s", begin, err, out)
	}
}

// start starts the server and waits for its address.
func (p *place) start(flags ...string) {
	p.t.Helper()
	c := exec.Command(filepath.Join(p.bin, "moai"), append([]string{"serve", "--no-open"}, flags...)...)
	c.Dir, c.Env = p.work, p.env()
	out, err := c.StdoutPipe()
	kit.Must(p.t, err)
	kit.Must(p.t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://127.0.0.1:") {
		p.t.Fatalf("serve printed %q, %v", line, err)
	}
	p.serve, p.address = c, strings.TrimSpace(line)
	p.t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
}

// window is one of a browser of its own.
func (p *place) window() context.Context {
	p.t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.UserDataDir(p.t.TempDir()), chromedp.Flag("lang", "en"))
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	p.t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(all)
	p.t.Cleanup(cancel)
	ctx, end := context.WithTimeout(ctx, 5*time.Minute)
	p.t.Cleanup(end)
	return ctx
}

// browse opens the page in a browser.
func (p *place) browse() context.Context {
	p.t.Helper()
	ctx := p.window()
	p.watch(ctx)
	p.do(ctx, log.Enable(), emulation.SetDeviceMetricsOverride(1280, 860, 1, false), chromedp.Navigate(p.address))
	p.until(ctx, `document.querySelector('.lane[data-key="s-1"]')`)
	return ctx
}

// watch fails the test for each error in the console of a page.
func (p *place) watch(ctx context.Context) {
	var mu sync.Mutex
	chromedp.ListenTarget(ctx, func(ev any) {
		mu.Lock()
		defer mu.Unlock()
		switch ev := ev.(type) {
		case *runtime.EventExceptionThrown:
			p.t.Errorf("exception: %s", ev.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			if p.refused && strings.Contains(ev.Entry.Text, "401") {
				return
			}
			if ev.Entry.Level == log.LevelError && !strings.Contains(ev.Entry.Text, "ERR_CONNECTION_REFUSED") && !strings.Contains(ev.Entry.Text, "ERR_INCOMPLETE") && !strings.Contains(ev.Entry.Text, "ERR_CONNECTION_RESET") {
				p.t.Errorf("console: %s %s", ev.Entry.Text, ev.Entry.URL)
			}
		}
	})
}

func (p *place) do(ctx context.Context, actions ...chromedp.Action) {
	p.t.Helper()
	kit.Must(p.t, chromedp.Run(ctx, actions...))
}

// click clicks on what a selector finds. The page may draw it anew between the look and the click: then it is looked for again.
func click(selector string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for {
			err := chromedp.Click(selector).Do(ctx)
			if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "Could not find node") {
				return err
			}
		}
	})
}

// until waits until an expression of the page is true.
func (p *place) until(ctx context.Context, expression string) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(30 * time.Millisecond) {
		var is bool
		// Asked again and again from here: what asks inside of the page needs eval, which the page's policy forbids.
		if err := chromedp.Run(ctx, chromedp.Evaluate(`!!(`+expression+`)`, &is)); err == nil && is {
			return
		} else if time.Now().After(end) {
			var text string
			_ = chromedp.Run(ctx, chromedp.Evaluate(`document.body.innerText`, &text))
			p.t.Fatalf("%s: %v\nthe page says:\n%s", expression, err, text)
		}
	}
}

// TestBrowser goes through the page with the keyboard alone, in a real browser, while real hooks run.
func TestBrowser(t *testing.T) {
	p := newPlace(t)
	ctx := p.browse()

	// What hooks of other processes do comes by itself.
	p.hook(`{"hook_event_name":"UserPromptSubmit","prompt":"a second prompt"`)
	p.until(ctx, `document.querySelector('.lane .title').textContent.includes('a second prompt')`)
	p.until(ctx, `document.querySelector('.livedot .w').textContent === 'live'`)

	// Every view, by its key, in both themes and three widths: nothing is wider than the window, and what strangers wrote is text.
	shots := os.Getenv("MOAI_SHOTS")
	var wide bool
	for i, view := range []string{"now", "timeline", "undo", "guard", "agents", "verification", "ports", "project", "doctor"} {
		for _, width := range []int64{400, 1280, 1920} {
			p.do(ctx, emulation.SetDeviceMetricsOverride(width, 860, 1, false), chromedp.KeyEvent(fmt.Sprint(i+1)))
			p.until(ctx, `location.hash === '#`+view+`' && !document.querySelector('main .sk') && !!document.querySelector('main h1')`)
			p.do(ctx, chromedp.Evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &wide))
			if wide {
				t.Errorf("%s at %d is wider than the window", view, width)
			}
			for _, theme := range []string{"light", "dark"} {
				if shots == "" {
					continue
				}
				var picture []byte
				p.do(ctx, chromedp.Evaluate(`document.documentElement.dataset.theme = '`+theme+`'`, nil), chromedp.CaptureScreenshot(&picture))
				kit.Write(t, filepath.Join(shots, fmt.Sprintf("%s-%d-%s.png", view, width, theme)), string(picture))
			}
		}
	}
	p.do(ctx, emulation.SetDeviceMetricsOverride(1280, 860, 1, false))
	if axe := os.Getenv("MOAI_AXE"); axe != "" {
		p.axe(ctx, axe)
	}

	// A loss comes back: plan, confirmation, and the file is there.
	p.do(ctx, chromedp.KeyEvent("3"), chromedp.WaitVisible(`.ut[data-key^="checkpoint/"]`), click(`.ut[data-key^="checkpoint/"]`), chromedp.WaitVisible(`.confirm .primary`))
	p.until(ctx, `document.querySelector('.fgroup code').textContent === 'plan.md' && document.querySelector('.dl.h')`)
	p.do(ctx, click(`.confirm .primary`), chromedp.WaitVisible(`.confirm.sure`), chromedp.KeyEvent("\r"))
	p.until(ctx, `document.querySelector('.confirm').textContent.includes('Brought back')`)
	p.until(ctx, `!document.querySelector('.dl') && document.querySelectorAll('.ut[data-key^="checkpoint/"]').length === 2`) // the plan is closed, and what was there is a snapshot
	if data, err := os.ReadFile(filepath.Join(p.work, "plan.md")); err != nil || string(data) != "two\n" {
		t.Errorf("plan.md is %q, %v; want what was lost", data, err)
	}

	// What a command of a turn did, that no rule could see, is taken back, and brought again.
	p.hook(`{"hook_event_name":"UserPromptSubmit","prompt":"tidy up"`)
	p.hook(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"sh tidy.sh"}`)
	kit.Must(t, os.Remove(filepath.Join(p.work, "plan.md")))
	p.do(ctx, chromedp.KeyEvent("1"), chromedp.WaitVisible(`.lane`))
	p.until(ctx, `document.querySelector('.lane .c-do')?.textContent.includes('sh tidy.sh')`) // while it runs
	p.hook(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"sh tidy.sh"},"tool_response":{"stdout":""}`)
	p.hook(`{"hook_event_name":"Stop","stop_hook_active":false`)
	p.do(ctx, chromedp.KeyEvent("1"), chromedp.WaitVisible(`.lane`))
	p.until(ctx, `document.querySelector('.lane .c-snap a')?.hash === '#undo/s-1%3A3'`)
	p.do(ctx, chromedp.KeyEvent("j"), chromedp.KeyEvent("u"), chromedp.WaitVisible(`.ut[aria-current]`))
	p.until(ctx, `document.querySelector('.uhead h2')?.textContent.includes('tidy up') && document.querySelector('.fgroup code')?.textContent === 'plan.md' && document.querySelector('.dl.a') && !document.querySelector('.dl.d')`)
	p.do(ctx, click(`.confirm .primary`), chromedp.WaitVisible(`.confirm.sure`), chromedp.KeyEvent("\x1b"))
	p.until(ctx, `!document.querySelector('.confirm.sure')`) // Esc keeps it
	p.do(ctx, click(`.confirm .primary`), chromedp.WaitVisible(`.confirm.sure`), chromedp.KeyEvent("\r"))
	p.until(ctx, `document.querySelector('.confirm').textContent.includes('Undone') && document.activeElement.textContent === 'Redo'`)
	if data, err := os.ReadFile(filepath.Join(p.work, "plan.md")); err != nil || string(data) != "two\n" {
		t.Errorf("after the undo plan.md is %q, %v", data, err)
	}
	const redo = `[...document.querySelectorAll('.confirm .btn')].find(b => b.textContent.includes('Redo'))?.click()` // asks twice, and anew when the view is drawn anew
	p.until(ctx, `document.querySelector('.ut[aria-current]:not(.over)') && !document.querySelector('.confirm')?.textContent.includes('Redo') || (`+redo+`, false)`)
	p.until(ctx, `!document.querySelector('main .sk') && document.querySelector('.ulist')`)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(p.work, "plan.md")); err != nil {
			break
		} else if time.Now().After(end) {
			t.Fatal("redo left plan.md")
		}
	}

	// What is undone stays in the list, with its redo, also when the page is opened anew.
	p.until(ctx, `document.querySelector('.ut[aria-current]') && document.querySelector('.confirm .primary:not([disabled])')`)
	p.do(ctx, click(`.confirm .primary`), chromedp.WaitVisible(`.confirm.sure`), chromedp.KeyEvent("\r"))
	p.until(ctx, `document.querySelector('.confirm').textContent.includes('Undone')`)
	p.do(ctx, chromedp.Reload())
	p.until(ctx, `document.querySelector('.ut.over[aria-current]') && document.querySelector('.uhead')?.textContent.includes('This turn is undone')`)
	if _, err := os.Stat(filepath.Join(p.work, "plan.md")); err != nil {
		t.Errorf("after the second undo: %v", err)
	}
	p.until(ctx, `document.querySelector('.ut[aria-current]:not(.over)') || (`+redo+`, false)`)
	if _, err := os.Stat(filepath.Join(p.work, "plan.md")); err == nil {
		t.Error("the second redo left plan.md")
	}

	// A turn shows its commands and what became of them, and is found by them; the guard marks what its rule has met.
	p.hook(`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":"v","tool_input":{"command":"go vet ./..."},"error":"Exit code 1"`)
	p.do(ctx, chromedp.KeyEvent("2"), chromedp.WaitVisible(`.tr.turn`))
	p.until(ctx, `[...document.querySelectorAll('.tr.turn .c-cmd')].some(x => /Denied rm -rf ~/.test(x.textContent) && /Snapshot git reset --hard/.test(x.textContent))`)
	p.until(ctx, `[...document.querySelectorAll('.tr.turn .c-cmd')].some(x => x.textContent.includes('failed go vet'))`)
	p.until(ctx, `['Undone turn 3', 'Brought again turn 3'].every(w => [...document.querySelectorAll('.tr.back')].some(x => x.textContent.includes(w)))`)
	p.until(ctx, `document.title === 'Timeline · moai' || document.title.endsWith(' · Timeline · moai')`)
	p.do(ctx, chromedp.SendKeys(`#q`, "vet"))
	p.until(ctx, `document.querySelector('#rows').textContent === '1'`)
	p.do(ctx, chromedp.KeyEvent("\x1b"), chromedp.KeyEvent("4"))
	p.until(ctx, `document.querySelector('.gr .hit.deny')?.textContent === 'rm -rf ~' && document.querySelector('.gr .hit.snap')?.textContent === 'git reset --hard'`)
	p.until(ctx, `[...document.querySelectorAll('.gr')].some(x => /, Denied, rm/.test(x.getAttribute('aria-label')))`)

	// The guard is switched off, and on again, while another view is open.
	off := filepath.Join(p.dir, "home", "config", "moai", "config.toml")
	kit.Write(t, off, "[guard]\nmode = \"off\"\n")
	kit.Must(t, config.ChangeAnswered(filepath.Join(p.dir, "home", "state", "moai"), filepath.Dir(off), time.Time{}, func(a *config.Answered) {
		a.Answer(off, "guard.mode", "off", true) // as moai config set does
	}))
	p.until(ctx, `document.querySelector('.gstate.off') && document.title.startsWith('GUARD OFF') && [...document.querySelectorAll('.loud')].map(x => x.textContent).join().startsWith('The guard is off')`)
	p.until(ctx, `/Since \d\d:\d\d/.test(document.querySelector('.loud').textContent)`)
	kit.Must(t, os.Remove(off))
	p.until(ctx, `![...document.querySelectorAll('.loud')].some(x => x.textContent.includes('The guard is off'))`) // nothing calls moai here, which is said then

	p.until(ctx, `[...document.querySelectorAll('.gr.gap')].some(x => x.textContent.includes('Guard off')) && !document.querySelector('.gr .verdict.snap')?.closest('.gr').dataset.allow`) // and is known afterwards
	p.until(ctx, `/^moai risk allow \S+ --once --reason WHY$/.test(document.querySelector('.gr .verdict.deny ~ .gm .hit')?.closest('.gr').dataset.allow)`)
	p.do(ctx, chromedp.KeyEvent("2"))
	p.until(ctx, `[...document.querySelectorAll('.tr.gap')].some(x => x.textContent.includes('Guard off'))`)

	p.looks(ctx)
	p.ports(ctx)
	p.chains(ctx)
	p.keeps(ctx)

	// A link leads to its moment.
	var link string
	p.do(ctx, chromedp.KeyEvent("2"), chromedp.WaitVisible(`.tr.turn`), click(`.tr.turn`), chromedp.WaitVisible(`.panel [data-copy*="#timeline/"]`))
	p.do(ctx, chromedp.Evaluate(`document.querySelector('.panel [data-copy*="#timeline/"]').dataset.copy`, &link), chromedp.KeyEvent("1"), chromedp.WaitVisible(`.lane`))
	p.do(ctx, chromedp.Navigate(link))
	p.until(ctx, `location.hash.startsWith('#timeline/') && document.querySelector('.panel') && document.querySelector('.tr.is-sel')`)

	// The server is killed and comes back: the page says so, goes on, and has what happened meanwhile, once.
	here := strings.TrimSuffix(p.address, p.address[strings.Index(p.address, "?"):])
	other, leave := chromedp.NewContext(ctx)
	defer leave()
	p.watch(other)
	p.do(other, log.Enable(), chromedp.Navigate(here))
	p.until(other, `document.querySelector('.lane[data-key="s-1"]') && document.querySelector('.livedot .w').textContent === 'live'`)
	p.do(ctx, chromedp.KeyEvent("3"), chromedp.WaitVisible(`.ut`), chromedp.KeyEvent("2"), chromedp.WaitVisible(`.tr.turn`))
	kit.Must(t, p.serve.Process.Kill())
	_ = p.serve.Wait()
	p.until(ctx, `document.querySelector('.quietbar')?.textContent.includes('Next try in')`)
	p.do(ctx, chromedp.KeyEvent("3"))
	p.until(ctx, `document.querySelector('.ut') && document.querySelector('.quietbar')`) // content stays
	p.do(ctx, chromedp.KeyEvent("2"))
	p.hook(`{"hook_event_name":"UserPromptSubmit","prompt":"while nobody served"`)
	p.start()
	p.until(ctx, `!document.querySelector('.quietbar') && [...document.querySelectorAll('.tr.turn')].filter(x => x.textContent.includes('while nobody served')).length === 1`)
	p.until(other, `!document.querySelector('.quietbar') && document.querySelector('.livedot .w').textContent === 'live' && document.querySelector('.lane .title').textContent.includes('while nobody served')`)

	// Keys: rows, a drawer, and back to the row.
	leave()
	p.do(ctx, page.BringToFront(), chromedp.KeyEvent("j"))
	p.hook(`{"hook_event_name":"UserPromptSubmit","prompt":"while a row has the focus"`)
	p.until(ctx, `document.activeElement.matches('.tr') && [...document.querySelectorAll('.tr.turn')].some(x => x.textContent.includes('while a row has'))`)
	p.do(ctx, chromedp.KeyEvent("\r"), chromedp.WaitVisible(`.panel`), chromedp.KeyEvent("\x1b"))
	p.until(ctx, `!document.querySelector('.panel') && document.activeElement.matches('.tr')`)

	// All projects together: what is about one asks which, and a session's way back leads into its own.
	all := `document.querySelector('#which').value = ''; document.querySelector('#which').dispatchEvent(new Event('change'))`
	p.do(ctx, chromedp.KeyEvent("8"), chromedp.Evaluate(all, nil), chromedp.WaitVisible(`main [data-row]`), click(`main [data-row]`))
	p.until(ctx, `document.querySelector('#which').value !== '' && document.querySelector('main .langs')`)
	p.do(ctx, chromedp.KeyEvent("1"), chromedp.WaitVisible(`.lane`), chromedp.Evaluate(all, nil))
	p.until(ctx, `/^#undo\/(?!checkpoint)/.test(document.querySelector('.lane .c-snap a')?.hash)`)
	p.do(ctx, click(`.lane .c-snap a`), chromedp.WaitVisible(`.ut[aria-current]`))
	p.until(ctx, `document.querySelector('#which').value !== ''`)

	// A second window has what the first was given. A page that lost its key has the cookie still, and is shown nothing.
	second, shut := chromedp.NewContext(ctx)
	defer shut()
	p.do(second, chromedp.Navigate(here), chromedp.WaitVisible(`.lane[data-key="s-1"]`))
	p.until(second, `document.querySelector('.livedot .w').textContent === 'live'`)
	p.refused = true
	p.do(ctx, chromedp.Evaluate(`indexedDB.deleteDatabase('moai')`, nil), chromedp.Navigate("about:blank"), chromedp.Navigate(here))
	p.until(ctx, `document.querySelector('main').textContent.includes('not let in') && !document.querySelector('.lane')`)
	p.fresh()
	p.recorded()
}
