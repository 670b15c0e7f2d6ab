package api

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/store"
	"github.com/modu-ai/moai/internal/verify"
)

// Server is what the routes need.
type Server struct {
	Store  *store.Store
	Feed   *Feed
	Secret string // who has it may ask
	Code   string // stands for it once, and not for long: other users see the command line with which a browser is opened
	Port   int
	Moai   string       // the program
	Page   http.Handler // what is shown at /
	Log    *slog.Logger

	Verify  *verify.Tables // which files somebody else has to look at
	Windows []rule.Window  // how many tokens models take in

	Mask func(text string) string // hides secrets in texts that moai has not written down

	Answers map[string]json.RawMessage // of moai, to the questions that a recorded session can no longer be asked
	Env     []string                   // of moai; nil: this process's own

	began    time.Time
	used     atomic.Bool // the code
	changing gate        // lets one change at a time through: moai would say of the others that somebody is at it
	reading  gate        // lets few questions about history through, which take memory
	gaps     gaps

	spent spent
	pass  string // what a page that has proved itself says with each request, as long as this server runs
}

// maxReading is how many questions about history are answered at once.
const maxReading = 2

// gate lets so many through at once as it has room for.
type gate chan struct{}

// enter waits for its turn, as long as somebody waits for the answer. What it gives is called at the end.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return func() { <-g }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// maxBody bounds what a request may bring.
const maxBody = 64 << 10

// policy is what the page may load, and do: nothing that is not from here.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types moai"

// Handler is everything behind the door.
func (s *Server) Handler() http.Handler {
	s.began, s.pass, s.changing, s.reading = time.Now(), rand.Text(), make(gate, 1), make(gate, maxReading)
	s.gaps.path = filepath.Join(s.Store.StateDir, "gaps.json")
	mux := http.NewServeMux()
	for _, r := range all() {
		h := s.route(&r)
		if !r.open {
			h = s.keyed(h)
		}
		mux.Handle(r.method+" "+r.path, h)
	}
	mux.Handle(others, s.keyed(unknown(mux)))
	mux.Handle("/", s.shown())
	return s.door(mux)
}

// shown is the page, which is only read.
func (s *Server) shown() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			s.Page.ServeHTTP(w, r)
			return
		}
		notBy(w, gets)
	})
}

// gets are the methods by which one reads.
const gets = "GET, HEAD"

// notBy refuses a method, and says by which ones a question is asked.
func notBy(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	fail(w, http.StatusMethodNotAllowed, "this is asked by "+allowed)
}

// others are the questions that no route has.
const others = "/api/"

// unknown refuses a question that there is none of, or not by this method: then it says by which.
func unknown(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range [][2]string{{http.MethodGet, gets}, {http.MethodPost, "POST"}} {
			as := *r
			as.Method = method[0]
			if _, pattern := mux.Handler(&as); pattern != others {
				allowed = append(allowed, method[1])
			}
		}
		if len(allowed) == 0 {
			fail(w, http.StatusNotFound, "there is no such question; /openapi.json has them all")
			return
		}
		notBy(w, strings.Join(allowed, ", "))
	})
}

// derive makes another secret of the one: what a page or a browser holds is not the secret itself.
func (s *Server) derive(of string) string { return sign(s.Secret, of) }

// cookie is named by the port: browsers send one of a host to all its ports.
func (s *Server) cookie() string { return "moai-" + strconv.Itoa(s.Port) }

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// door lets in who has the secret, by the address of this server.
func (s *Server) door(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		switch {
		case !s.ours(r.Host):
			refuse(w, r, http.StatusMisdirectedRequest, "this is no name of this server") // a name that was made to lead here
		case !readable(r.URL.RawQuery):
			refuse(w, r, http.StatusBadRequest, "the query cannot be read") // a filter that is dropped would show more than was asked for
		case !s.ownPage(r):
			refuse(w, r, http.StatusForbidden, "another page has no business here")
		case r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has("token"):
			s.enter(w, r)
		case !s.knows(r):
			refuse(w, r, http.StatusUnauthorized, tokenless)
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.URL.Path != proofPath && !s.writes(r):
			refuse(w, r, http.StatusForbidden, "a change needs the token of the page, and JSON")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func readable(query string) bool {
	_, err := url.ParseQuery(query)
	return err == nil
}

// ours reports a name of this server.
func (s *Server) ours(host string) bool {
	name, port, ok := cutPort(strings.ToLower(host))
	return ok && port == strconv.Itoa(s.Port) && (name == "127.0.0.1" || name == "localhost" || name == "[::1]")
}

func cutPort(host string) (name, port string, ok bool) {
	at := strings.LastIndexByte(host, ':')
	if at < 0 {
		return "", "", false
	}
	return host[:at], host[at+1:], true
}

// ownPage reports a request of the page of this server, of a program, or of a person who opens the page. Browsers say whose a
// request is by Sec-Fetch-Site: a page of another port of this machine would get the cookie sent along.
func (s *Server) ownPage(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && !s.origin(origin) {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

func (s *Server) origin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "http" && s.ours(u.Host)
}

// codeFor is how long the code counts: until a browser has started.
const codeFor = time.Minute

// enter changes the secret for a cookie and a key, and takes it out of the address. The code that moai opens a browser with counts once, since
// it stands in the arguments of that program; the secret that is printed opens the page in each browser of who reads it. A cookie of this machine goes to every
// server on it, whatever its port; the key stands behind #, which no server is sent, and stays in the storage of this one's page. The page
// proves with it that it has it (see proof.go): who takes the port when this server has ended learns nothing that counts with the next one.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	once := s.Code != "" && same(token, s.Code) && time.Since(s.began) < codeFor && s.used.CompareAndSwap(false, true)
	if !once && !same(token, s.Secret) {
		refuse(w, r, http.StatusUnauthorized, "this is not the token that moai serve printed")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: s.cookie(), Value: s.derive("cookie"), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/#key="+s.pageKey(), http.StatusSeeOther)
}

// knows reports a request with the secret, or with the cookie that it was changed for.
func (s *Server) knows(r *http.Request) bool {
	if s.bearer(r) {
		return true
	}
	for _, c := range r.CookiesNamed(s.cookie()) { // another server of this machine may have set one of the same name
		if same(c.Value, s.derive("cookie")) {
			return true
		}
	}
	return false
}

func (s *Server) bearer(r *http.Request) bool {
	bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && same(bearer, s.Secret)
}

// keyHeader carries what a page was given for its proof. What opens a stream in a browser cannot set it: there it is the parameter "key".
const keyHeader = "X-Moai-Key"

// keyed lets in who has the key as well: what has happened is told to the page alone, and to who has the secret.
func (s *Server) keyed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get(keyHeader)
		if r.URL.Path == streamPath && key == "" {
			key = r.URL.Query().Get("key")
		}
		if !s.bearer(r) && !same(key, s.pass) {
			refuse(w, r, http.StatusUnauthorized, "this page has not proved yet that it was opened by the address that moai serve printed")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// writeHeader carries the token of the page, which no other page can send.
const writeHeader = "X-Moai-Token"

func (s *Server) writes(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json" && same(r.Header.Get(writeHeader), s.derive("write"))
}

// answerError is an answer no with its status.
type answerError struct {
	status int
	text   string
}

func (a *answerError) Error() string { return a.text }

// statusOf is the status of an error.
func statusOf(err error) int {
	var no *answerError
	if errors.As(err, &no) {
		return no.status
	}
	return http.StatusInternalServerError
}

// failure is what an answer no says.
type failure struct {
	Error string `json:"error"`
}

func fail(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(failure{text})
}

// refuse is fail at the door. What a request still has to send is not waited for.
func refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	w.Header().Set("Connection", "close")
	if r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		fail(w, status, text)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, refusal, html.EscapeString(text))
}

// refusal is what a person sees who opens the page without its token.
const refusal = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>moai</title></head>
<body><main><h1>moai</h1>
<p>Not let in: %s.</p>
<p>Run <code>moai serve</code> in a terminal: it prints the address, with the token that opens the page.</p>
<p lang="ko">터미널에서 <code>moai serve</code>를 실행하세요. 이 페이지를 여는 토큰이 든 주소가 출력됩니다.</p>
</main></body></html>
`

// route runs a route and writes its answer.
func (s *Server) route(r *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if wrong := r.misread(req.URL.Query()); wrong != "" {
			fail(w, http.StatusBadRequest, wrong)
			return
		}
		if r.raw != nil {
			r.raw(s, w, req)
			return
		}
		ctx, cancel := context.WithTimeout(req.Context(), 30*time.Second)
		defer cancel()
		v, err := r.answer(s, req.WithContext(ctx))
		var no *answerError
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &no):
			fail(w, no.status, no.text)
		case errors.As(err, &large):
			fail(w, http.StatusRequestEntityTooLarge, "the request is too large")
		case store.Broken(err), s.Feed.broken.Load(): // what is there of it now would say that nothing has happened
			s.Feed.broken.Store(true)
			fail(w, http.StatusServiceUnavailable, "the store is damaged, and is made anew from the journals: ask again")
		case err != nil:
			s.Log.Error("answer", "path", r.path, "error", err)
			fail(w, http.StatusInternalServerError, err.Error())
		default:
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(v) // who has gone reads nothing
		}
	})
}

// tokenless is the answer to a request without a token. A person opens an address that holds it; a program sends it in a header.
const tokenless = "open the address that moai serve printed; a program sends the token that stands in it behind token= as a header: Authorization: Bearer TOKEN"
