package main

import (
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestPicture makes the picture of README: the recorded day of `moai serve --demo`, as Chromium shows it. MOAI_PICTURE names its file.
func TestPicture(t *testing.T) {
	out := os.Getenv("MOAI_PICTURE")
	if out == "" {
		t.Skip("MOAI_PICTURE is not set")
	}
	p := newPlace(t)
	p.work = t.TempDir()
	p.start("--demo")
	ctx := p.window()
	var picture []byte
	p.do(ctx, emulation.SetDeviceMetricsOverride(1280, 640, 1, false), chromedp.Navigate(p.address))
	p.until(ctx, `document.querySelectorAll('.lane').length >= 3 && document.querySelector('.lane .cmd') && document.querySelector('.attn.wait')`)
	p.do(ctx, chromedp.CaptureScreenshot(&picture))
	if err := os.WriteFile(out, picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
