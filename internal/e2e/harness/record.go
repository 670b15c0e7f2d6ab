package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"
)

// HookRecord is one invocation of a hook command, seen from the hook's side.
type HookRecord struct {
	Event    string            `json:"event"`
	Command  []string          `json:"command"`
	Shell    string            `json:"shell,omitempty"` // the shell the client used
	Cwd      string            `json:"cwd"`
	Env      map[string]string `json:"env"`
	Stdin    json.RawMessage   `json:"stdin,omitempty"`
	StdinRaw string            `json:"stdin_raw,omitempty"` // only when it was no JSON
	Stdout   string            `json:"stdout"`
	Stderr   string            `json:"stderr"`
	ExitCode int               `json:"exit_code"`
	Started  time.Time         `json:"started"`
	Millis   int64             `json:"millis"`
	Finished bool              `json:"finished"`
	Signal   string            `json:"signal,omitempty"` // the client ended it
}

// wrapMain runs a hook command unchanged and notes what went in and out.
func wrapMain(args []string) (int, error) {
	fl := flag.NewFlagSet("wrap", flag.ExitOnError)
	log := fl.String("log", "", "folder for the records")
	event := fl.String("event", "", "event this hook is registered for")
	shell := fl.String("shell", "", "run the single argument through this shell")
	fl.Parse(args)
	argv := fl.Args()
	if len(argv) == 0 {
		return 1, errors.New("wrap: no command")
	}
	rec := HookRecord{Event: *event, Command: argv, Shell: *shell, Started: time.Now(), Env: hookEnv(os.Environ())}
	rec.Cwd, _ = os.Getwd()
	in, _ := io.ReadAll(os.Stdin)
	if trimmed := bytes.TrimSpace(in); json.Valid(trimmed) {
		rec.Stdin = trimmed
	} else {
		rec.StdinRaw = string(in)
	}
	file := filepath.Join(*log, fmt.Sprintf("%d-%s-%d.json", rec.Started.UnixNano(), *event, os.Getpid()))
	_ = writeFileJSON(file, rec)

	if *shell != "" {
		argv = []string{*shell, "-c", argv[0]}
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stdout = io.MultiWriter(os.Stdout, &stdout)
	cmd.Stderr = io.MultiWriter(os.Stderr, &stderr)

	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	err := cmd.Start()
	if err == nil {
		go func() {
			for s := range signals {
				rec.Signal = s.String()
				_ = cmd.Process.Signal(s)
			}
		}()
		err = cmd.Wait()
	}
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		if code = exit.ExitCode(); code < 0 {
			code = 128 + int(exit.Sys().(syscall.WaitStatus).Signal())
		}
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		stderr.WriteString(err.Error())
		code = 127
	}
	rec.Stdout, rec.Stderr, rec.ExitCode = stdout.String(), stderr.String(), code
	rec.Millis, rec.Finished = time.Since(rec.Started).Milliseconds(), true
	_ = writeFileJSON(file, rec)
	return code, nil
}

// hookEnv keeps the variables the client adds; keys and tokens are left out.
func hookEnv(env []string) map[string]string {
	keep := map[string]string{}
	for _, kv := range env {
		k, v, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(k, "CLAUDE") || k == "AI_AGENT" || k == "COLUMNS" || k == "LINES" || k == "HOME" || k == "SHELL" {
			if !strings.Contains(k, "TOKEN") && !strings.Contains(k, "KEY") {
				keep[k] = v
			}
		}
	}
	return keep
}

// readRecords reads the hook calls of a run in the order in which they began.
func readRecords(dir string) ([]HookRecord, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var out []HookRecord
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			return nil, err
		}
		var r HookRecord
		if err := json.Unmarshal(b, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
		out = append(out, r)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Started.Before(out[j].Started) })
	return out, nil
}
