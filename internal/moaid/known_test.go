package moaid

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/state"
)

// room is a state folder of its own, and what is said on standard error.
func room(t *testing.T) (*env, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	return &env{state: t.TempDir(), out: &bytes.Buffer{}, err: &said, getenv: func(string) string { return "" }}, &said
}

// serves begins as moai serve does, and tells what is remembered then.
func serves(t *testing.T, e *env, named bool) (l net.Listener, got, left known) {
	t.Helper()
	l, got, err := e.begin(t.Context(), 0, named)
	kit.Must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	if !state.Read(filepath.Join(e.state, "serve.json"), 0, &left) {
		t.Fatal("nothing is remembered")
	}
	return l, got, left
}

// answering has a port answer as a server of moai's does.
func answering(l net.Listener) {
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte("open the address that moai serve printed"))
		}))
	}()
}

// The pages of the first server go on with the next one, whatever ran beside it, or has taken its port meanwhile.
func TestRememberedPort(t *testing.T) {
	e, said := room(t)
	first, one, left := serves(t, e, false)
	if left != one || said.Len() > 0 {
		t.Fatalf("%+v is remembered of %+v, and said %q", left, one, said)
	}
	answering(first)
	for _, named := range []bool{true, false} {
		said.Reset()
		_, other, left := serves(t, e, named)
		if left != one || other.Port == one.Port || other.Secret != one.Secret || !strings.Contains(said.String(), "this one runs beside it") {
			t.Errorf("beside it, --port %v: %+v is remembered, and said %q", named, left, said)
		}
	}
	_ = first.Close()
	foreign, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", first.Addr().String())
	if err != nil {
		t.Skip(err)
	}
	said.Reset()
	_, _, left = serves(t, e, false)
	if left != one || strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "another program has port") {
		t.Errorf("with a foreign program there: %+v is remembered, and said %q", left, said)
	}
	_ = foreign.Close()
	said.Reset()
	_, again, _ := serves(t, e, false)
	if again != one || said.Len() > 0 {
		t.Errorf("afterwards: %+v, and said %q, want %+v", again, said, one)
	}
}

// What no server of moai's has left is not taken for its secret, and that is said in a line.
func TestForeignSecrets(t *testing.T) {
	good := rand.Text()
	for what, text := range map[string]string{
		"short": `{"secret":"a","port":2000}`, "empty": `{"secret":"","port":2000}`, "signs": `{"secret":"` + strings.Repeat("&", 26) + `","port":2000}`,
		"small": `{"secret":"` + strings.ToLower(good) + `","port":2000}`, "longer": `{"secret":"` + good + `A","port":2000}`,
		"a low port": `{"secret":"` + good + `","port":22}`, "no port": `{"secret":"` + good + `","port":99999}`, "below": `{"secret":"` + good + `","port":-1}`, "no JSON": `x`,
	} {
		e, said := room(t)
		path := filepath.Join(e.state, "serve.json")
		kit.Must(t, os.WriteFile(path, []byte(text), 0o600))
		_, got, left := serves(t, e, false)
		if got.Secret == good || !got.ours() || left != got || strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "new secret") {
			t.Errorf("%s: %+v, left %+v, said %q", what, got, left, said)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	e, said := room(t)
	path, elsewhere := filepath.Join(e.state, "serve.json"), filepath.Join(t.TempDir(), "x")
	text, err := json.Marshal(known{good, 2000})
	kit.Must(t, err)
	kit.Must(t, os.WriteFile(elsewhere, text, 0o600))
	kit.Must(t, os.Symlink(elsewhere, path))
	if _, got, _ := serves(t, e, false); got.Secret == good || !strings.Contains(said.String(), "new secret") {
		t.Errorf("through a link: %+v, %q", got, said)
	}
	if now, err := os.ReadFile(elsewhere); err != nil || !bytes.Equal(now, text) {
		t.Errorf("what the link led to holds %q", now)
	}
	said.Reset()
	kit.Must(t, os.Chmod(e.state, 0o777))
	if serves(t, e, false); !strings.Contains(said.String(), "other users can write into "+e.state+": chmod go-w "+e.state) {
		t.Errorf("a folder for everybody: %q", said)
	}
}

// A folder in its place is an error of one line, with the way out.
func TestSecretIsAFolder(t *testing.T) {
	e, said := room(t)
	kit.Must(t, os.Mkdir(filepath.Join(e.state, "serve.json"), 0o700))
	if err := e.serve(context.Background(), 0, false, true, false); e.report(err, e.root()) != slip.Failed || !strings.Contains(said.String(), "serve.json is a folder") || !strings.Contains(said.String(), "hint: mv ") {
		t.Errorf("%q", said)
	}
}

// A cell that a spreadsheet would take for a formula begins with an apostrophe, whatever stands before the sign.
func TestCells(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\n=1", " =1", "  \n\t@x", "＝1+1", "＋1", "－1", "＠x", " ＝1", "\u00a0=1", "\u200b=1", "\ufeff=1", "\x00=1", "\nx"} {
		if got := cell(text); got != "'"+text {
			t.Errorf("cell(%q) = %q", text, got)
		}
	}
	for _, text := range []string{"", " ", "x", "x=1", "1-2", "한글", "'=1"} {
		if got := cell(text); got != text {
			t.Errorf("cell(%q) = %q", text, got)
		}
	}
}
