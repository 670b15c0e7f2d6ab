package api

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/state"
)

// That the guard was off is known afterwards, too.
func TestGaps(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	key := "project=" + state.ProjectKey(r.root)
	look := func(mode string, registered string) (got []Gap) {
		t.Setenv("MOAI_TEST_SAYS", `{"guard":{"mode":"`+mode+`","registered":`+registered+`}}`)
		r.do("GET", "/api/ask/status?"+key, "", nil)
		_, text := r.do("GET", "/api/gaps?"+key, "", nil)
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(text, err)
		}
		return got
	}
	write := func(kind string) {
		r.write(kind, `{}`)
		if _, err := r.s.Store.Feed(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := look("standard", "true"); len(got) != 0 {
		t.Errorf("on: %+v", got)
	}
	if got := look("off", "true"); len(got) != 1 || !got[0].Off || got[0].Longer || got[0].Until != nil {
		t.Errorf("off: %+v", got)
	}
	if got := look("off", "true"); len(got) != 1 {
		t.Errorf("off still: %+v", got)
	}
	if got := look("standard", "false"); len(got) != 2 || got[0].Off || got[1].Until == nil {
		t.Errorf("not registered: %+v", got)
	}
	if got := look("strict", "true"); len(got) != 2 || got[0].Until == nil {
		t.Errorf("on again: %+v", got)
	}
	if _, text := r.do("GET", "/api/gaps?project=nope", "", nil); !strings.Contains(text, "nope") {
		t.Error(text)
	}

	// Where something calls moai that is registered nowhere, there is no gap; and another server knows of the earlier ones.
	if got := look("standard", "false"); len(got) != 3 || got[0].Until != nil {
		t.Errorf("not registered again: %+v", got)
	}
	write("user_request")
	if got := look("standard", "false"); len(got) != 2 {
		t.Errorf("called: %+v", got)
	}
	r.s.gaps = gaps{path: r.s.gaps.path}
	if got := look("off", "true"); len(got) != 3 || !got[0].Off || !got[0].Longer {
		t.Errorf("another server: %+v", got)
	}
	write("unjudged")
	if got := look("off", "true"); len(got) != 3 || got[0].Ran != 1 {
		t.Errorf("ran: %+v", got)
	}
}
