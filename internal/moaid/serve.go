package moaid

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/generated/agents"
	"github.com/modu-ai/moai/generated/languages"
	"github.com/modu-ai/moai/generated/quality"
	"github.com/modu-ai/moai/generated/secrets"
	"github.com/modu-ai/moai/internal/api"
	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/page"
	"github.com/modu-ai/moai/internal/slip"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/verify"
)

func (e *env) newServe() *cobra.Command {
	var port int
	var noOpen, demo bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show live in a browser what happens in all sessions",
		Long: `Serves a page, and what it is made of as JSON (/openapi.json), on this machine
alone. The address that is printed holds a secret: who has it can see what
happened here, and bring work back. Ctrl-C ends it; pages that are open go on
with the next one.`,
		Example: "  moai serve\n  moai serve --port 7171 --no-open\n  moai serve --demo",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return slip.Usagef("--port is %d, want one up to 65535, or 0 for any", port)
			}
			if demo {
				remove, err := e.demo(c.Context())
				if err != nil {
					return err
				}
				defer remove()
			}
			return e.serve(c.Context(), port, c.Flags().Changed("port"), noOpen, demo)
		},
	}
	c.Flags().IntVar(&port, "port", 0, "listen there; 0 for any that is free (the last one, where it still is)")
	c.Flags().BoolVar(&demo, "demo", false, "show a recorded session, and nothing of yours")
	c.Flags().BoolVar(&noOpen, "no-open", false, "open no browser")
	return c
}

// languages are the built-in languages and those of the user, as the kept table has them: moaid goes by what hooks go by.
func (e *env) languages() func() *lang.Table {
	return lang.Added{Config: e.config, State: filepath.Join(e.state, "cache")}.Follow(&languages.Table)
}

func (e *env) serve(ctx context.Context, port int, named, noOpen, demo bool) error {
	listener, k, err := e.begin(ctx, port, named)
	if err != nil {
		return err
	}
	defer listener.Close()
	s, err := e.fed(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if e.project != "" {
		if err := s.Lies(ctx, e.project); err != nil { // it can be chosen before its first session
			return e.explained(err)
		}
	}
	log := slog.New(slog.NewTextHandler(e.err, nil))
	feed := api.NewFeed(s, log)
	feed.Me = api.Me{Build: build.Current().String(), Project: state.ProjectKey(e.project), Demo: demo}
	code := rand.Text()
	server := &http.Server{
		Handler: (&api.Server{
			Store: s, Feed: feed, Secret: k.Secret, Code: code, Port: k.Port, Moai: e.moai, Page: page.Handler(), Log: log,
			Verify: &verify.Tables{Agents: &agents.All, Languages: e.languages()}, Windows: quality.Table.Windows, Answers: e.answers, Env: e.shut, Mask: secrets.Table.Mask,
		}).Handler(),
		// Streams set deadlines of their own.
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	address := fmt.Sprintf("http://127.0.0.1:%d/?token=%s", k.Port, k.Secret)
	if err := e.told(address, k.Port); err != nil {
		return err
	}
	if !noOpen && term.IsTerminal(e.in) && e.display() {
		e.browse(fmt.Sprintf("http://127.0.0.1:%d/?token=%s", k.Port, code))
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	feeding, stop := context.WithCancel(ctx)
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		_ = feed.Run(feeding) // it logs what fails, and goes on
	}()
	defer func() { // before the store is closed, and the folder of a demo removed
		stop()
		<-fed
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if err := server.Shutdown(bye); err != nil {
		_ = server.Close()
	}
	return nil
}

// told prints where the page is.
func (e *env) told(address string, port int) error {
	if e.json {
		return e.printJSON(struct {
			URL  string `json:"url"`
			Port int    `json:"port"`
		}{address, port})
	}
	_, err := fmt.Fprintln(e.out, address)
	return err
}

// display reports a screen that a browser can open on.
func (e *env) display() bool {
	return runtime.GOOS != "linux" || e.getenv("DISPLAY") != "" || e.getenv("WAYLAND_DISPLAY") != ""
}

// browse opens the address. A browser that is missing is nothing to fail for: the address is printed.
func (e *env) browse(address string) {
	open := exec.Command("xdg-open", address)
	if runtime.GOOS == "darwin" {
		open = exec.Command("open", address)
	} else if runtime.GOOS == "windows" {
		open = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	}
	open.Stdout, open.Stderr = nil, nil
	if err := open.Start(); err != nil {
		fmt.Fprintln(e.err, "moai: no browser was found: open the address above")
		return
	}
	go func() { _ = open.Wait() }()
}
