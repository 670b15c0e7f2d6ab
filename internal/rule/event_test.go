package rule

import (
	"os"
	"testing"
)

func TestLoadEvents(t *testing.T) {
	p, err := LoadEvents(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(p.Events); got != 33 {
		t.Errorf("%d events, want the 33 of the client", got)
	}
	specific := 0
	for _, e := range p.Events {
		if e.Answer.Specific {
			specific++
		}
	}
	if specific != 22 {
		t.Errorf("%d events take hookSpecificOutput, want 22", specific)
	}
}
