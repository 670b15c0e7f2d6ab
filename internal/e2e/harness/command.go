package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// runMain plays one scenario and prints the report.
func runMain(args []string) (int, error) {
	r, opt, err := newRunner("run", args)
	if err != nil || r == nil {
		return opt.code, err
	}
	report, err := r.run(opt.project)
	if err != nil {
		return 1, err
	}
	if opt.quiet {
		passed := 0
		for _, c := range report.Checks {
			if c.OK {
				passed++
			} else {
				fmt.Printf("FAIL %s: %s (got: %s)\n", report.Scenario, c.What, c.Got)
			}
		}
		fmt.Printf("%s: %d/%d checks, %d hooks, %d requests, client exit %d\n", report.Scenario, passed, len(report.Checks), len(report.Hooks), len(report.Requests), report.Client.ExitCode)
	} else {
		enc := json.NewEncoder(os.Stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(report); err != nil {
			return 1, err
		}
	}
	if err := writeFileJSON(filepath.Join(r.out, "report.json"), report); err != nil {
		return 1, err
	}
	if !report.OK {
		return 2, nil
	}
	return 0, nil
}

// serveMain prepares everything a run does, prints the command that starts the
// client in a terminal, and serves the mock until it is interrupted.
func serveMain(args []string) (int, error) {
	r, opt, err := newRunner("serve", args)
	if err != nil || r == nil {
		return opt.code, err
	}
	mock, err := r.prepare(opt.project)
	if err != nil {
		return 1, err
	}
	line := []string{"cd " + shellQuote(r.dir("project")) + " && env -i"}
	for _, kv := range r.clientEnv() {
		if strings.HasPrefix(kv, "TERM=") {
			kv = "TERM=xterm-256color"
		}
		line = append(line, shellQuote(kv))
	}
	line = append(line, shellQuote(r.client), "--debug-file", shellQuote(r.dir("client-debug.log")))
	for _, a := range r.scenario.Args {
		line = append(line, shellQuote(a))
	}
	fmt.Println(strings.Join(line, " "))
	return 1, http.Serve(r.listener, mock)
}

// options are the flags that do not describe the run itself, and the exit code
// of a run that happened elsewhere (-isolate).
type options struct {
	project string
	quiet   bool
	code    int
}

// newRunner reads the flags. With -isolate it runs the whole command again
// where only loopback exists, and returns no runner but the exit code.
func newRunner(command string, args []string) (*runner, options, error) {
	var opt options
	opt.code = 1
	r := &runner{}
	fl := flag.NewFlagSet(command, flag.ExitOnError)
	fl.StringVar(&r.client, "client", os.Getenv("CLAUDE_CLIENT"), "the real client's binary (or set CLAUDE_CLIENT)")
	scenario := fl.String("scenario", "", "scenario file")
	fl.StringVar(&opt.project, "project", "", "project to copy and work in (default: an empty one)")
	fl.StringVar(&r.out, "out", "", "folder for everything the run leaves (default: a new temporary one)")
	fl.StringVar(&r.extraPath, "path", "", "folder put in front of PATH, e.g. where moai lies")
	fl.DurationVar(&r.limit, "timeout", 2*time.Minute, "end the client after this long")
	fl.BoolVar(&r.bare, "bare-hooks", false, "leave hook commands as they are: nothing is recorded on the hook's side")
	listen := fl.String("listen", "127.0.0.1:0", "loopback address of the mock")
	isolate := fl.Bool("isolate", false, "run in a network namespace that has loopback only (Linux, root)")
	fl.BoolVar(&opt.quiet, "quiet", false, "print only failed checks and a summary line")
	fl.Parse(args)
	if *isolate {
		code, err := reexecIsolated(command, args)
		opt.code = code
		return nil, opt, err
	}
	if r.client == "" {
		return nil, opt, errors.New("no client: give -client or set CLAUDE_CLIENT")
	}
	var err error
	if r.self, err = os.Executable(); err != nil {
		return nil, opt, err
	}
	if r.out == "" {
		if r.out, err = os.MkdirTemp("", "harness-"); err != nil {
			return nil, opt, err
		}
	}
	for _, p := range []*string{&r.client, &r.out, &r.extraPath} {
		if *p != "" {
			if *p, err = filepath.Abs(*p); err != nil {
				return nil, opt, err
			}
		}
	}
	if r.listener, err = net.Listen("tcp", *listen); err != nil {
		return nil, opt, err
	}
	r.base = "http://" + r.listener.Addr().String()
	r.scenario, err = loadScenario(*scenario, r.names())
	return r, opt, err
}

// names are what a scenario may name.
func (r *runner) names() *strings.Replacer {
	return strings.NewReplacer("{{project}}", r.dir("project"), "{{out}}", r.out, "{{mock}}", r.base, "{{harness}}", r.self, "{{client}}", r.client)
}

// reexecIsolated starts the same command again where only loopback exists.
func reexecIsolated(command string, args []string) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	cmd := exec.Command("unshare", "-n", "sh", "-c", `ip link set lo up && exec "$@"`, "sh", self, command)
	for _, a := range args {
		if a != "-isolate" && a != "--isolate" {
			cmd.Args = append(cmd.Args, a)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return 0, err
}
