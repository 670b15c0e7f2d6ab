package api

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/state"
)

// A look says which files it was at, and what the verifier said; one of an older moai says how many.
func TestLooksAreWhole(t *testing.T) {
	r := newRig(t)
	r.write("verified", `{"agent":"tyr","verifies":"code","found":"blockers","files":2,"paths":["a.go","한글 b.go"],"why":"a.go has no tests"}`)
	r.write("unverified", `{"does":"block","files":1,"why":"nobody","paths":["c.go"]}`)
	if _, err := r.s.Store.Feed(t.Context()); err != nil {
		t.Fatal(err)
	}
	code, text := r.do("GET", "/api/verifications", "", nil)
	var looks []struct {
		Paths []string
		Why   string
	}
	if err := json.Unmarshal([]byte(text), &looks); code != http.StatusOK || err != nil || len(looks) != 3 {
		t.Fatalf("%d %v %s", code, err, text)
	}
	if !slices.Equal(looks[0].Paths, []string{"c.go"}) || !slices.Equal(looks[1].Paths, []string{"a.go", "한글 b.go"}) || looks[1].Why != "a.go has no tests" || looks[2].Paths != nil {
		t.Errorf("%+v", looks)
	}
}

// A port is asked about by its id, which is any text of one line, and never an option.
func TestAskPort(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	t.Setenv("MOAI_TEST_ARGS", "1")
	ask := func(query string) (int, string) {
		return r.do("GET", "/api/ask/port?project="+state.ProjectKey(r.root)+query, "", nil)
	}
	for query, want := range map[string]string{"&port=a+b%2Fc": `["port","show","--json","--","a b/c"]`, "&port=--yes": `["port","show","--json","--","--yes"]`} {
		if code, text := ask(query); code != http.StatusOK || strings.TrimSpace(text) != want {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
	for _, query := range []string{"", "&port=", "&port=a%0Ab", "&port=" + strings.Repeat("x", 2000)} {
		if code, text := ask(query); code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}
