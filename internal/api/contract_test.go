package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/state"
)

// post makes a change as a program does: with the secret, and the token of the page.
func (r *rig) post(path, body string) (int, string) {
	r.t.Helper()
	return r.do("POST", path, body, func(q *http.Request) {
		q.Header.Set(writeHeader, r.s.derive("write"))
		q.Header.Set("Content-Type", "application/json")
	})
}

// undoBody is the request that takes back the last turn of a session.
func (r *rig) undoBody(session string, running bool) string {
	return `{"session":"` + session + `","project":"` + state.ProjectKey(r.root) + `","to":"","redo":false,"running":` + strconv.FormatBool(running) + `}`
}

// A change in which a field is missing that the description calls required is none: moai is not even started.
func TestChangesAreWhole(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	t.Setenv("MOAI_TEST_SAYS", `{"session":"s"}`)
	for path, whole := range map[string]map[string]any{
		"/api/restore": {"project": state.ProjectKey(r.root), "checkpoint": "@1", "delete_new": false, "refs": false},
		"/api/undo":    {"project": state.ProjectKey(r.root), "session": "s", "to": "", "redo": false, "running": false},
		"/api/port":    {"project": state.ProjectKey(r.root), "port": "p", "move": "end", "why": ""},
	} {
		say := func(body any) (int, string) {
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			return r.post(path, string(text))
		}
		if code, text := say(whole); code != http.StatusOK {
			t.Errorf("%s: %d %s", path, code, text)
		}
		if code, text := say(nil); code != http.StatusBadRequest {
			t.Errorf("%s with null: %d %s", path, code, text)
		}
		for name, value := range whole {
			delete(whole, name)
			if code, text := say(whole); code != http.StatusBadRequest || !strings.Contains(text, name) {
				t.Errorf("%s without %s: %d %s", path, name, code, text)
			}
			whole[name] = nil
			if code, text := say(whole); code != http.StatusBadRequest || !strings.Contains(text, name) {
				t.Errorf("%s, %s is null: %d %s", path, name, code, text)
			}
			whole[name] = value
		}
	}
}

// A change names its session by the whole id: who mistypes one takes back nothing of another.
func TestUndoOfTheWholeID(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	t.Setenv("MOAI_TEST_SAYS", `{"session":"s-whole"}`)
	for _, running := range []bool{false, true} {
		if code, text := r.post("/api/undo", r.undoBody("s", running)); code != http.StatusNotFound {
			t.Errorf("the beginning of an id: %d %s", code, text)
		}
		if code, text := r.post("/api/undo", r.undoBody("s-whole", running)); code != http.StatusOK {
			t.Errorf("an id: %d %s", code, text)
		}
	}
}

// Names of types and hosts are read as their standards say, and what is not understood is refused with what is wanted.
func TestReadAsMeant(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	t.Setenv("MOAI_TEST_SAYS", `{"session":"s"}`)
	code, text := r.do("POST", "/api/undo", r.undoBody("s", false), func(q *http.Request) {
		q.Header.Set(writeHeader, r.s.derive("write"))
		q.Header.Set("Content-Type", "Application/JSON; charset=UTF-8")
		q.Host = "LocalHost:" + strconv.Itoa(r.s.Port)
	})
	if code != http.StatusOK {
		t.Errorf("%d %s", code, text)
	}
	for path, want := range map[string]struct {
		code int
		text string
	}{
		"/api/events?since=yesterday":          {http.StatusBadRequest, "RFC 3339, such as 2026-11-28T21:00:00Z"},
		"/api/events/stream?type=nope":         {http.StatusNotFound, `type of events \"nope\"`},
		"/api/events/stream?as=types":          {http.StatusBadRequest, "as is"},
		"/api/blame?path=a":                    {http.StatusBadRequest, "project"},
		"/api/nothing":                         {http.StatusNotFound, "openapi.json"},
		"/api/events/stream?type=nope&as=type": {http.StatusNotFound, "nope"},
	} {
		if code, text := r.do("GET", path, "", nil); code != want.code || !strings.Contains(text, want.text) {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
}

// What is not taken is told by what is: a method that a path does not have is named by none.
func TestAllow(t *testing.T) {
	r := newRig(t)
	for of, want := range map[string]string{
		"PUT /api/me": "GET, HEAD", "POST /api/events": "GET, HEAD", "GET /api/undo": "POST", "DELETE " + proofPath: "GET, HEAD, POST", "PUT /openapi.json": "GET, HEAD",
	} {
		method, path, _ := strings.Cut(of, " ")
		q := httptest.NewRequest(method, path, strings.NewReader("{}"))
		q.Host = "127.0.0.1:" + strconv.Itoa(r.s.Port)
		q.Header.Set("Authorization", "Bearer secret")
		q.Header.Set(writeHeader, r.s.derive("write"))
		q.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		r.s.Handler().ServeHTTP(w, q)
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != want {
			t.Errorf("%s: %d, allowed %q, want %q", of, w.Code, w.Header().Get("Allow"), want)
		}
	}
	if code, text := r.post("/api/nothing", "{}"); code != http.StatusNotFound {
		t.Errorf("%d %s", code, text)
	}
}

// The description says which parameters there must be, and by what a change is let in.
func TestDescribed(t *testing.T) {
	r := newRig(t)
	_, text := r.do("GET", "/openapi.json", "", nil)
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, In, Description string
				Required              bool
			}
			Security []map[string][]string
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for path, methods := range doc.Paths {
		for _, p := range methods["get"].Parameters {
			found[path+" "+p.In+" "+p.Name+" "+strconv.FormatBool(p.Required)] = true
			if p.Name == "limit" && !strings.Contains(p.Description, "1000 is the most") {
				t.Errorf("%s: limit is %q", path, p.Description)
			}
		}
	}
	for _, want := range []string{
		streamPath + " header Last-Event-ID false", "/api/commits query project true", "/api/commits/{id} query project true", "/api/diff query project true",
		"/api/blame query project true", "/api/ask/{id} query project true", "/api/events query project false",
	} {
		if !found[want] {
			t.Errorf("it does not say %q", want)
		}
	}
	for _, path := range []string{"/api/undo", "/api/restore", "/api/port"} {
		by := false
		for _, one := range doc.Paths[path]["post"].Security {
			_, bearer := one["bearer"]
			_, write := one["write"]
			by = by || bearer && write && len(one) == 2
		}
		if !by {
			t.Errorf("%s is not said to take the secret with the token", path)
		}
	}
}
