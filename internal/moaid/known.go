package moaid

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// known is what a server leaves for the next one, so that open pages go on with it.
type known struct {
	Secret string `json:"secret"`
	Port   int    `json:"port"` // 0 for none
}

// lowest is the first port that is anybody's. Those below it are not remembered.
const lowest = 1024

// ours reports what a server of moai's has left: anything else is somebody's who would like to know the secret.
func (k *known) ours() bool {
	secret := len(k.Secret) == len(rand.Text()) && strings.Trim(k.Secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
	return secret && (k.Port == 0 || k.Port >= lowest && k.Port <= 65535)
}

// left is what the last server left at path, or a new secret. What is there and is not to be believed is said.
func (e *env) left(path string) (k known, err error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return known{Secret: rand.Text()}, nil
	case err == nil && info.IsDir():
		return k, slip.Hint(fmt.Errorf("%s is a folder, and moai serve keeps its secret in a file there", term.Name(path)), "mv "+argv.Quote(path)+" "+argv.Quote(path+".aside"))
	case err == nil && info.Mode().IsRegular() && !seen(info) && state.Read(path, 0, &k) && k.ours():
		return k, nil
	}
	fmt.Fprintf(e.err, "moai: warning: %s is not as moai serve leaves it: there is a new secret, and open pages want the address below\n", term.Name(path))
	return known{Secret: rand.Text()}, nil
}

// seen reports a file that other users may read, or may have read.
func seen(info fs.FileInfo) bool { return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 }

// begin takes a port, and the secret that the last server left. Pages that are open know the port that is remembered: another one is
// written down only where there was none, so that they go on with the next server.
func (e *env) begin(ctx context.Context, port int, named bool) (listener net.Listener, k known, err error) {
	if state.Shared(e.state) {
		fmt.Fprintf(e.err, "moai: warning: other users can write into %s: chmod go-w %[1]s\n", argv.Quote(e.state))
	}
	path := filepath.Join(e.state, "serve.json")
	if k, err = e.left(path); err != nil {
		return nil, k, err
	}
	if listener, err = listen(ctx, port, named, k.Port); err != nil {
		return nil, k, err
	}
	last := k.Port
	k.Port = listener.Addr().(*net.TCPAddr).Port
	keep := known{k.Secret, last}
	switch {
	case last == 0 && k.Port >= lowest:
		keep.Port = k.Port
	case last == 0 || last == k.Port:
	case isMoai(ctx, last):
		fmt.Fprintf(e.err, "moai: another moai serve runs at port %d already; this one runs beside it\n", last)
	case !named:
		fmt.Fprintf(e.err, "moai: another program has port %d, which open pages know: they do not go on with this server\n", last)
	}
	if err = state.Write(path, &keep); err != nil {
		_ = listener.Close()
	}
	return listener, k, e.explained(err)
}

// listen takes the port that is named, or the last one, or any.
func listen(ctx context.Context, port int, named bool, last int) (net.Listener, error) {
	var c net.ListenConfig
	at := func(port int) (net.Listener, error) {
		return c.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	}
	if named {
		l, err := at(port)
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, slip.Hint(slip.Nof("port %d is taken", port), "moai serve --port 0")
		}
		return l, err
	}
	for range 5 { // a server that was killed may still be about to let it go
		l, err := at(last)
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) || isMoai(ctx, last) {
			if err == nil {
				return l, nil
			}
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return at(0)
}

// isMoai reports that another server of moai's answers at a port.
func isMoai(ctx context.Context, port int) bool {
	ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/api/proof", port), nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	return err == nil && answer.StatusCode == http.StatusUnauthorized && strings.Contains(string(text), "moai serve")
}
