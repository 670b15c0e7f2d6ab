package api

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"

	"github.com/modu-ai/moai/internal/journal"
	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/session"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/store"
)

// rig is a server with a journal of one project.
type rig struct {
	t    testing.TB
	dir  string
	root string
	log  journal.Log
	s    *Server
	url  string
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), root: t.TempDir()}
	r.log = journal.Log{Path: state.JournalPath(r.dir, r.root)}
	st, err := store.Open(r.dir)
	kit.Must(t, err)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	kit.Must(t, err)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	r.s = &Server{Store: st, Feed: NewFeed(st, quiet), Secret: "secret", Port: l.Addr().(*net.TCPAddr).Port, Moai: "moai", Page: http.NotFoundHandler(), Log: quiet}
	r.write("session_start", `{"source":"startup"}`)
	r.write("decision", `{"action":"deny","rules":["fs.delete-home"],"tool":"Bash","command":"rm -rf ~"}`)
	r.write("agent_activated", `{"agent_id":"a","agent_type":"scout"}`)
	r.write("file_edit", `{"path":"a.go","tool":"Edit"}`)
	r.write("verified", `{"agent":"heimdall","verifies":"code","found":"passed","files":1}`)
	now := time.Now()
	err = session.Change(r.dir, "s", now, func() *session.Session {
		return &session.Session{ID: "s", Project: r.root, Start: session.Place{Dir: r.root}, Now: session.Place{Dir: r.root}, Started: now, Seen: now}
	}, func(s *session.Session) bool { s.Turn = session.Turn{Number: 1, Began: now, Prompt: "do"}; return true })
	kit.Must(t, err)
	if _, err := st.Feed(t.Context()); err != nil {
		t.Fatal(err)
	}
	kit.Must(t, st.Records(t.Context()))
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: r.s.Handler()}}
	server.Start()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.s.Feed.Run(ctx) }()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = st.Close()
	})
	r.url = server.URL
	return r
}

func (r *rig) write(kind, details string) {
	r.t.Helper()
	kit.Must(r.t, r.log.Append(journal.Event{Session: "s", Turn: 1, Type: kind, Summary: kind, Details: json.RawMessage(details)}))
}

func (r *rig) do(method, path, body string, change func(*http.Request)) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	kit.Must(r.t, err)
	req.Header.Set("Authorization", "Bearer secret")
	if change != nil {
		change(req)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Do(req)
	kit.Must(r.t, err)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	kit.Must(r.t, err)
	return got.StatusCode, string(text)
}

// A person who opens the page without its token is told what to do; a program gets JSON.
func TestRefusal(t *testing.T) {
	r := newRig(t)
	for accept, want := range map[string]string{"text/html,*/*;q=0.8": "<code>moai serve</code>", "*/*": `{"error":`} {
		status, text := r.do("GET", "/", "", func(q *http.Request) { q.Header.Del("Authorization"); q.Header.Set("Accept", accept) })
		if status != http.StatusUnauthorized || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", accept, status, text)
		}
	}
}

// Who has not the secret, or comes by another name or from another page, gets nothing, on any route.
func TestDoor(t *testing.T) {
	r := newRig(t)
	header := func(name, value string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set(name, value) }
	}
	bare := func(q *http.Request) { q.Header.Del("Authorization") }
	for _, route := range all() {
		path := strings.ReplaceAll(route.path, "{id}", "x")
		for what, c := range map[string]struct {
			change func(*http.Request)
			want   int
		}{
			"no secret":              {bare, http.StatusUnauthorized},
			"another secret":         {header("Authorization", "Bearer secre"), http.StatusUnauthorized},
			"another cookie":         {func(q *http.Request) { bare(q); q.AddCookie(&http.Cookie{Name: r.s.cookie(), Value: "secret"}) }, http.StatusUnauthorized},
			"a name that leads here": {func(q *http.Request) { q.Host = fmt.Sprint("evil.example:", r.s.Port) }, http.StatusMisdirectedRequest},
			"no port":                {func(q *http.Request) { q.Host = "127.0.0.1" }, http.StatusMisdirectedRequest},
			"another port":           {func(q *http.Request) { q.Host = "127.0.0.1:1" }, http.StatusMisdirectedRequest},
			"another page":           {header("Origin", "http://evil.example"), http.StatusForbidden},
			"a page of a file":       {header("Origin", "null"), http.StatusForbidden},
			"another server here":    {header("Origin", "http://127.0.0.1:1"), http.StatusForbidden},
			"a page of another port": {header("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		} {
			if code, text := r.do(route.method, path, "", c.change); code != c.want {
				t.Errorf("%s %s with %s: %d %.80s, want %d", route.method, path, what, code, text, c.want)
			}
		}
	}
}

// The secret in the address becomes a cookie that is another word, and leaves the address.
func TestEnter(t *testing.T) {
	r := newRig(t)
	req := httptest.NewRequest("GET", "/?token=secret", nil)
	req.Host = fmt.Sprint("127.0.0.1:", r.s.Port)
	w := httptest.NewRecorder()
	r.s.Handler().ServeHTTP(w, req)
	set := w.Header().Get("Set-Cookie")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/#key="+r.s.pageKey() || !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict") || strings.Contains(set, "secret") {
		t.Errorf("%d, to %q, cookie %q", w.Code, w.Header().Get("Location"), set)
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("policy %q", csp)
	}
	value, _, _ := strings.Cut(set, ";")
	for _, other := range []string{r.s.cookie() + "=bad; " + value, value + "; " + r.s.cookie() + "=bad"} { // another server has set one
		if code, text := r.do("GET", proofPath, "", func(q *http.Request) { q.Header.Del("Authorization"); q.Header.Set("Cookie", other) }); code != http.StatusOK {
			t.Errorf("with %q: %d %s", other, code, text)
		}
	}
	with := func(key string) func(*http.Request) {
		return func(q *http.Request) {
			q.Header.Del("Authorization")
			q.Header.Set("Cookie", value)
			if key != "" {
				q.Header.Set(keyHeader, key)
			}
		}
	}
	if code, text := r.do("GET", "/api/me", "", with(r.prove(with("")))); code != http.StatusOK {
		t.Errorf("with the cookie and the proof: %d %s", code, text)
	}
	// Every server of this machine is sent the cookie: by itself it opens nothing that tells of somebody's work.
	for _, route := range all() {
		if route.open {
			continue
		}
		for _, key := range []string{"", r.s.derive("cookie"), r.s.derive("write"), r.s.pageKey()} {
			if code, _ := r.do(route.method, strings.ReplaceAll(route.path, "{id}", "x"), "{}", func(q *http.Request) {
				with(key)(q)
				q.Header.Set("Content-Type", "application/json")
				q.Header.Set(writeHeader, r.s.derive("write"))
			}); code != http.StatusUnauthorized {
				t.Errorf("%s %s with the cookie alone (key %q): %d", route.method, route.path, key, code)
			}
		}
	}
	if code, _ := r.do("GET", "/?token=wrong", "", nil); code != http.StatusUnauthorized {
		t.Errorf("a wrong token: %d", code)
	}
}

// prove goes the way of a page.
func (r *rig) prove(change func(*http.Request)) string {
	r.t.Helper()
	_, text := r.do("GET", proofPath, "", change)
	var c Challenge
	if err := json.Unmarshal([]byte(text), &c); err != nil || c.Nonce == "" {
		r.t.Fatalf("%s, %v", text, err)
	}
	answer := func(proof string) (int, string) {
		data, err := json.Marshal(Proof{c.Nonce, proof})
		kit.Must(r.t, err)
		return r.do("POST", proofPath, string(data), change)
	}
	for _, wrong := range []string{"", "0", sign(r.s.derive("cookie"), "moai "+strconv.Itoa(r.s.Port)+" "+c.Nonce), sign(r.s.pageKey(), "moai 1 "+c.Nonce), sign(r.s.pageKey(), c.Nonce)} {
		if code, text := answer(wrong); code != http.StatusUnauthorized {
			r.t.Errorf("a wrong proof: %d %s", code, text)
		}
	}
	code, text := answer(sign(r.s.pageKey(), "moai "+strconv.Itoa(r.s.Port)+" "+c.Nonce))
	var got Proved
	if err := json.Unmarshal([]byte(text), &got); code != http.StatusOK || err != nil || got.Key == "" || got.Key == r.s.pageKey() {
		r.t.Fatalf("%d %s, %v", code, text, err)
	}
	if code, text := answer(sign(r.s.pageKey(), "moai "+strconv.Itoa(r.s.Port)+" "+c.Nonce)); code != http.StatusUnauthorized {
		r.t.Errorf("the same proof once more: %d %s", code, text)
	}
	for _, old := range []string{"", "1-x", r.s.nonce(time.Now().Add(-2 * proofFor)), "99999999999999999999-" + sign(r.s.pass, "nonce 99999999999999999999")} {
		c.Nonce = old
		if code, _ := answer(sign(r.s.pageKey(), "moai "+strconv.Itoa(r.s.Port)+" "+old)); code != http.StatusUnauthorized {
			r.t.Errorf("the nonce %q is taken: %d", old, code)
		}
	}
	return got.Key
}

// What a command line shows to other users counts once.
func TestEnterOnce(t *testing.T) {
	r := newRig(t)
	r.s.Code = "code"
	h := r.s.Handler()
	for i, want := range []int{http.StatusSeeOther, http.StatusUnauthorized} {
		req := httptest.NewRequest("GET", "/?token=code", nil)
		req.Host = fmt.Sprint("127.0.0.1:", r.s.Port)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, req); w.Code != want {
			t.Errorf("use %d: %d, want %d", i+1, w.Code, want)
		}
	}
	if code, _ := r.do("GET", "/api/me", "", func(q *http.Request) { q.Header.Set("Authorization", "Bearer code") }); code != http.StatusUnauthorized {
		t.Errorf("the code in place of the secret: %d", code)
	}
}

// A question that finds the store damaged has it made anew, and a later one is answered.
func TestDamagedStore(t *testing.T) {
	r := newRig(t)
	db, err := sql.Open("sqlite", store.Path(r.dir))
	kit.Must(t, err)
	defer db.Close()
	if _, err := db.Exec("drop table agents"); err != nil {
		t.Fatal(err)
	}
	code, text := r.do("GET", "/api/agents", "", nil)
	if code != http.StatusServiceUnavailable || !strings.Contains(text, "made anew") {
		t.Errorf("%d %s", code, text)
	}
	for end := time.Now().Add(20 * time.Second); code == http.StatusServiceUnavailable && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		code, text = r.do("GET", "/api/agents", "", nil)
	}
	if code != http.StatusOK || !strings.Contains(text, "scout") {
		t.Errorf("afterwards %d %s", code, text)
	}
}

// A folder that a link has taken the place of is another project's.
func TestMovedRoot(t *testing.T) {
	r := newRig(t)
	path := "/api/commits?project=" + state.ProjectKey(r.root)
	kit.Must(t, os.Rename(r.root, r.root+".real"))
	t.Cleanup(func() { _ = os.Remove(r.root); _ = os.Rename(r.root+".real", r.root) })
	if err := os.Symlink(t.TempDir(), r.root); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if code, text := r.do("GET", path, "", nil); code != http.StatusConflict {
		t.Errorf("%d %s", code, text)
	}
}

// A change needs the token of the page, JSON, and no more than it takes.
func TestChanges(t *testing.T) {
	r := newRig(t)
	token := r.s.derive("write")
	ok := func(q *http.Request) {
		q.Header.Set(writeHeader, token)
		q.Header.Set("Content-Type", "application/json")
	}
	for what, c := range map[string]struct {
		body   string
		change func(*http.Request)
		want   int
	}{
		"no token":       {`{}`, func(q *http.Request) { q.Header.Set("Content-Type", "application/json") }, http.StatusForbidden},
		"a form":         {`{}`, func(q *http.Request) { ok(q); q.Header.Set("Content-Type", "text/plain") }, http.StatusForbidden},
		"no JSON":        {`x`, ok, http.StatusBadRequest},
		"more":           {`WHOLE {}`, ok, http.StatusBadRequest},
		"unknown fields": {`{"force":true}`, ok, http.StatusBadRequest},
		"nothing":        {`{}`, ok, http.StatusBadRequest},
		"an option":      {`WHOLE`, ok, http.StatusBadRequest},
		"no project":     {`FINE`, ok, http.StatusNotFound},
		"100 MB":         {`{"checkpoint":"` + strings.Repeat("x", 100<<20), ok, http.StatusRequestEntityTooLarge},
	} {
		for path, form := range map[string]string{
			"/api/restore": `{"project":"/etc","checkpoint":"%s","delete_new":false,"refs":false}`,
			"/api/undo":    `{"project":"/etc","session":"s","to":"%s","redo":false,"running":false}`,
			"/api/port":    `{"project":"/etc","port":"%s","move":"end","why":""}`,
		} {
			bad := []string{`--all\n`, strings.Repeat("x", 2000)}
			if path == "/api/restore" {
				bad = []string{"--all", "../../x"}
			}
			for _, one := range bad {
				body := strings.NewReplacer("WHOLE", fmt.Sprintf(form, one), "FINE", fmt.Sprintf(form, "@1")).Replace(c.body)
				if code, text := r.do("POST", path, body, c.change); code != c.want {
					t.Errorf("%s, %s: %d %.200s, want %d", path, what, code, text, c.want)
				}
			}
		}
	}
	for _, path := range []string{"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/../secret", "/api/ask/../../x", "/api/blame?project=x&path=../../etc/passwd", "/api/ask/hook", "/api/events/x"} {
		if code, text := r.do("GET", path, "", nil); code == http.StatusOK {
			t.Errorf("%s: %d %.100s", path, code, text)
		}
	}
}

// A name that nothing here has is refused: an empty list would look as if nothing had happened.
func TestUnknownNames(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"/api/sessions?project=nope", "/api/events?session=nope", "/api/turns?type=nope", "/api/stats?project=nope", "/metrics?project=nope", "/api/ports?project=nope", "/api/events/stream?project=nope"} {
		if code, text := r.do("GET", path, "", nil); code != http.StatusNotFound || !strings.Contains(text, `\"nope\"`) {
			t.Errorf("%s: %d %.200s", path, code, text)
		}
	}
	for path, want := range map[string]string{
		"/api/events?sesion=a": `no parameter \"sesion\"`, "/api/events/stream?sesion=a": `no parameter \"sesion\"`, "/api/me?x": `no parameter \"x\"`,
		"/api/turns?session=a&session=b": "given twice", "/metrics?x=1": `no parameter`,
	} {
		if code, text := r.do("GET", path, "", nil); code != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: %d %.200s", path, code, text)
		}
	}
	if code, text := r.do("GET", "/api/events?type=port_start&type=decision", "", nil); code != http.StatusOK {
		t.Errorf("two types: %d %.200s", code, text)
	}
	if code, text := r.do("GET", "/api/events?type=port_start", "", nil); code != http.StatusOK {
		t.Errorf("a type without events: %d %.200s", code, text)
	}
}

// What a route answers is what /openapi.json says of it.
func TestOpenAPI(t *testing.T) {
	r := newRig(t)
	code, text := r.do("GET", "/openapi.json", "", nil)
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &doc); code != http.StatusOK || err != nil {
		t.Fatal(code, err)
	}
	from, to := commits(t, r.root)
	key := "project=" + state.ProjectKey(r.root)
	query := map[string]string{
		"/api/commits": key, "/api/commits/{id}": key, "/api/diff": key + "&from=" + from + "&to=" + to, "/api/blame": key + "&path=a.txt", "/api/left": key + "&since=2026-01-01T00:00:00Z",
	}
	first, err := r.s.Store.After(t.Context(), 0, 1)
	if err != nil || len(first) != 1 {
		t.Fatal(first, err)
	}
	checked := 0
	for _, route := range all() {
		said, ok := doc.Paths[route.path][strings.ToLower(route.method)]
		if !ok {
			t.Errorf("%s %s is not described", route.method, route.path)
			continue
		}
		if route.method != "GET" || route.raw != nil || strings.Contains(route.path, "ask") { // moai's own answers
			continue
		}
		id := first[0].ID
		if strings.Contains(route.path, "commits") {
			id = to
		}
		code, text := r.do("GET", strings.ReplaceAll(route.path, "{id}", id)+"?"+query[route.path], "", nil)
		var got any
		if err := json.Unmarshal([]byte(text), &got); code != http.StatusOK || err != nil {
			t.Errorf("%s: %d %v %.200s", route.path, code, err, text)
			continue
		}
		if list, is := got.([]any); is && len(list) == 0 && route.path != "/api/ports" && route.path != "/api/left" && route.path != "/api/gaps" {
			t.Errorf("%s is empty: nothing is held against its description", route.path)
		}
		checked++
		for _, fault := range fits(got, said.Responses["200"].Content["application/json"].Schema, route.path) {
			t.Error(fault)
		}
	}
	for _, path := range []string{"/api/diff?" + query["/api/diff"], "/api/commits/" + to + "?" + key} {
		if _, text := r.do("GET", path, "", nil); !strings.Contains(text, `-one\n+two\n`) {
			t.Errorf("%s: %.300s", path, text)
		}
	}
	if checked < 14 {
		t.Errorf("%d routes were looked at", checked)
	}
}

// A line knows the turn whose command made the commit that touched it last.
func TestBlame(t *testing.T) {
	r := newRig(t)
	_, to := commits(t, r.root)
	r.write("command_change", `{"command":"git commit -qam two","commit":"`+to+`","files":1,"paths":["a.txt"]}`)
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		code, text := r.do("GET", "/api/blame?path=a.txt&project="+state.ProjectKey(r.root), "", nil)
		if code == http.StatusOK && strings.Contains(text, `"hash":"`+to+`"`) && strings.Contains(text, `"session_id":"s","turn":1`) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d %s", code, text)
		}
	}
}

// commits makes a repository with two commits.
func commits(t *testing.T, root string) (from, to string) {
	t.Helper()
	repo, err := git.PlainInit(root, false)
	kit.Must(t, err)
	tree, err := repo.Worktree()
	kit.Must(t, err)
	var made [2]string
	for i, text := range []string{"one\n", "two\n"} {
		kit.Must(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte(text), 0o600))
		if _, err := tree.Add("a.txt"); err != nil {
			t.Fatal(err)
		}
		who := &gitobject.Signature{Name: "t", Email: "t@example.invalid", When: time.Unix(int64(1e9+i), 0)}
		hash, err := tree.Commit(text, &git.CommitOptions{Author: who, Committer: who})
		kit.Must(t, err)
		made[i] = hash.String()
	}
	return made[0], made[1]
}

// fits says where a value differs from a schema.
func fits(v any, schema map[string]any, at string) (faults []string) {
	kinds := fmt.Sprint(schema["type"])
	bad := func(kind string) {
		if schema["type"] != nil && !strings.Contains(kinds, kind) {
			faults = append(faults, fmt.Sprintf("%s is %s, and %s is said", at, kind, kinds))
		}
	}
	switch v := v.(type) {
	case nil:
		bad("null")
	case string:
		bad("string")
	case bool:
		bad("boolean")
	case float64:
		bad("integer")
	case []any:
		bad("array")
		for i, one := range v {
			items, _ := schema["items"].(map[string]any)
			faults = append(faults, fits(one, items, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case map[string]any:
		bad("object")
		of, said := schema["properties"].(map[string]any)
		for name, one := range v {
			field, known := of[name].(map[string]any)
			if said && !known {
				faults = append(faults, at+"."+name+" is not described")
			}
			faults = append(faults, fits(one, field, at+"."+name)...)
		}
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				faults = append(faults, fmt.Sprintf("%s.%s is missing", at, name))
			}
		}
	}
	return faults
}

// stream reads a stream of events until stop says so of an event's name, id and data.
func (r *rig) stream(query, last string, each func(name, id, data string) (more bool)) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", r.url+"/api/events/stream"+query, nil)
	if err != nil {
		r.t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer secret")
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	got, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Error(err)
		return
	}
	defer got.Body.Close()
	in := bufio.NewScanner(got.Body)
	in.Buffer(nil, 1<<20)
	var name, id, data string
	for in.Scan() {
		field, value, _ := strings.Cut(in.Text(), ": ")
		switch {
		case in.Text() == "":
			if name != "" && !each(name, id, data) {
				return
			}
			name, data = "", ""
		case field == "event":
			name = value
		case field == "id":
			id = value
		case field == "data":
			data = value
		}
	}
	r.t.Errorf("the stream ended: %v", in.Err())
}

// What hooks of other processes write comes on the stream, each event once, also to who comes back, and what is not wanted does not.
func TestStream(t *testing.T) {
	r := newRig(t)
	const n = 300
	said := map[string]int{}
	last, at := "", 0
	for at < n {
		begun := false
		r.stream("?type=tool_failed", last, func(name, id, data string) bool {
			if name == "hello" {
				if !begun && last == "" {
					go func() {
						for i := range n {
							r.write("tool_failed", fmt.Sprintf(`{"tool_name":"n%d"}`, i))
							r.write("decision", `{}`)
						}
					}()
				}
				begun = true
				return true
			}
			if name != "session.event" || !strings.Contains(data, "tool_failed") {
				t.Errorf("came: %s %s", name, data)
			}
			said[data]++
			last = id
			at++
			return at%70 != 0 && at < n // hangs up now and then
		})
	}
	if len(said) != n {
		t.Errorf("%d events came, want %d, each once", len(said), n)
	}
	for data, times := range said {
		if times != 1 {
			t.Errorf("came %d times: %s", times, data)
		}
	}
	names := ""
	r.stream("?as=type", "another-1", func(name, _, _ string) bool {
		if names += name + " "; name == "hello" {
			go r.write("turn\nevent: evil", `{}`)
		}
		return strings.Count(names, " ") < 3
	})
	if names != "reset hello turnevent: evil " {
		t.Errorf("of a store that is not this one, and of a type that is a stranger's: %q", names)
	}
}

// A stream that is not read holds nobody up.
func TestSlowStream(t *testing.T) {
	r := newRig(t)
	c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	kit.Must(t, err)
	defer c.Close()
	fmt.Fprintf(c, "GET /api/events/stream HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer secret\r\n\r\n", strings.TrimPrefix(r.url, "http://"))
	came := 0
	r.stream("", "", func(name, _, _ string) bool {
		if name == "hello" {
			go func() {
				for range 300 {
					if err := r.log.Append(journal.Event{Session: "s", Type: "decision", Summary: strings.Repeat("x", 50000)}); err != nil {
						t.Error(err)
					}
				}
			}()
			return true
		}
		came++
		return came < 300
	})
	if came != 300 {
		t.Errorf("%d events came beside one that is not read", came)
	}
}

// What the metrics say can be read as Prometheus does: each name has its help and its type.
func TestMetrics(t *testing.T) {
	r := newRig(t)
	code, text := r.do("GET", "/metrics", "", nil)
	if code != http.StatusOK || !strings.Contains(text, "# TYPE moai_denied gauge\nmoai_denied 1\n") {
		t.Errorf("%d\n%s", code, text)
	}
	var b bytes.Buffer
	b.WriteString(text)
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); f[0] != "#" && len(f) != 2 {
			t.Errorf("%q is no sample", line)
		}
	}
}

// Who is not let in gets the answer at once, and need not send what was announced.
func TestNotWaitedFor(t *testing.T) {
	r := newRig(t)
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	kit.Must(t, err)
	defer c.Close()
	kit.Must(t, c.SetDeadline(time.Now().Add(5*time.Second)))
	fmt.Fprintf(c, "POST /api/undo HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 1000\r\n\r\n", r.s.Port)
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil || !strings.Contains(line, "401") {
		t.Errorf("%q %v", line, err)
	}
}

// TestMain stands in for moai where a test says with which code it is to end.
func TestMain(m *testing.M) {
	if lock := os.Getenv("MOAI_TEST_ALONE"); lock != "" {
		if err := os.Mkdir(lock, 0o700); err != nil {
			fmt.Fprintln(os.Stderr, "moai: error: somebody else is at it")
			os.Exit(3)
		}
		time.Sleep(30 * time.Millisecond)
		_ = os.Remove(lock)
		fmt.Println(`{"session":"s"}`)
		os.Exit(0)
	}
	if os.Getenv("MOAI_TEST_ARGS") != "" {
		_ = json.NewEncoder(os.Stdout).Encode(os.Args[1:])
		os.Exit(0)
	}
	if text := os.Getenv("MOAI_TEST_SAYS"); text != "" {
		fmt.Println(text)
		os.Exit(strings.Count(text, `"error"`)) // where it says no, too
	}
	if text := os.Getenv("MOAI_TEST_ENDS"); text != "" {
		code, err := strconv.Atoi(text)
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, "moai: error: so it ends")
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// What moai says no to is an answer no here, and a failure of moai's is none of the one who asks.
func TestAskedFor(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	for code, want := range map[int]int{1: http.StatusNotFound, 2: http.StatusBadRequest, 3: http.StatusBadGateway} {
		t.Setenv("MOAI_TEST_ENDS", strconv.Itoa(code))
		for _, question := range []string{"diff", "plan"} {
			if got, text := r.do("GET", "/api/ask/"+question+"?checkpoint=x&project="+state.ProjectKey(r.root), "", nil); got != want || !strings.Contains(text, "so it ends") {
				t.Errorf("%s, moai ends with %d: %d %s, want %d", question, code, got, text, want)
			}
		}
	}
}

// Changes that are asked for at once are made one after another.
func TestChangesAlone(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	t.Setenv("MOAI_TEST_ALONE", filepath.Join(t.TempDir(), "lock"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			code, text := r.do("POST", "/api/undo", r.undoBody("s", false), func(q *http.Request) {
				q.Header.Set(writeHeader, r.s.derive("write"))
				q.Header.Set("Content-Type", "application/json")
			})
			if code != http.StatusOK {
				t.Errorf("%d %s", code, text)
			}
		})
	}
	wg.Wait()
}

// A turn that goes on is not undone without a word, and what moai refuses is no answer yes.
func TestUndoRefused(t *testing.T) {
	r := newRig(t)
	r.s.Moai = os.Args[0]
	for says, want := range map[string]map[bool]int{
		`{"session":"s","running":"s-2"}`:  {false: http.StatusConflict, true: http.StatusOK},
		`{"error":"so it is","hint":"go"}`: {true: http.StatusNotFound},
	} {
		t.Setenv("MOAI_TEST_SAYS", says)
		for running, status := range want {
			if code, text := r.post("/api/undo", r.undoBody("s", running)); code != status {
				t.Errorf("%s, running %v: %d %s, want %d", says, running, code, text, status)
			}
		}
	}
}

// One stream more than are allowed is refused, and another one is let in as soon as one has ended.
func TestStreamsBounded(t *testing.T) {
	r := newRig(t)
	r.s.Feed.streams.Store(maxStreams)
	if code, text := r.do("GET", streamPath, "", nil); code != http.StatusServiceUnavailable || !strings.Contains(text, "too many streams") {
		t.Errorf("%d %s", code, text)
	}
	if n := r.s.Feed.streams.Load(); n != maxStreams {
		t.Errorf("%d streams count after that, want %d", n, maxStreams)
	}
	r.s.Feed.streams.Add(-1)
	begun := false
	r.stream("", "", func(name, _, _ string) bool { begun = name == "hello"; return false })
	if !begun {
		t.Error("no stream is let in again")
	}
}

// TestTokenless: a program that has no token is told how to send one, before it can read the document that says so.
func TestTokenless(t *testing.T) {
	r := newRig(t)
	code, text := r.do("GET", "/openapi.json", "", func(q *http.Request) { q.Header.Del("Authorization") })
	if code != http.StatusUnauthorized || !strings.Contains(text, "Authorization: Bearer TOKEN") || !strings.Contains(text, "moai serve") {
		t.Errorf("%d %s", code, text)
	}
}
