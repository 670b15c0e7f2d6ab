package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/term"
)

// clientEnv are variables of the client, one a line, with the names of a scenario. IS_SANDBOX lets root use bypassPermissions.
//
//go:embed client.env
var clientEnv string

// clientEnv is the client's whole environment: nothing of ours leaks in.
func (r *runner) clientEnv() []string {
	path := os.Getenv("PATH")
	if r.extraPath != "" {
		path = r.extraPath + string(os.PathListSeparator) + path
	}
	env := map[string]string{"PATH": path}
	for line := range strings.Lines(r.names().Replace(clientEnv)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		env[name] = value
	}
	maps.Copy(env, r.scenario.Env)
	var list []string
	for k, v := range env {
		list = append(list, k+"="+v)
	}
	sort.Strings(list)
	return list
}

// drive runs the client to its end: it types the prompts one by one, answers
// permission questions, and keeps what the client says about itself.
func (r *runner) drive(report *Report) error {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit)
	defer cancel()
	args := append(strings.Fields("-p --verbose --input-format stream-json --output-format stream-json --include-hook-events --debug-file"), r.dir("client-debug.log"))
	if r.scenario.Permission != "" {
		args = append(args, "--permission-prompt-tool", "stdio")
	}
	if r.scenario.Resume {
		args = append(args, "--continue")
	}
	args = append(args, r.scenario.Args...)
	report.Client.Args = args

	cmd := exec.CommandContext(ctx, r.client, args...)
	cmd.Dir, cmd.Env = r.dir("project"), r.clientEnv()
	cmd.WaitDelay = 5 * time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	log, err := os.Create(r.dir("client-stdout.jsonl"))
	if err != nil {
		return err
	}
	defer log.Close()
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}

	prompts := r.scenario.Prompts
	var sayMu sync.Mutex
	say := func(v any) {
		b, _ := json.Marshal(v)
		sayMu.Lock()
		defer sayMu.Unlock()
		stdin.Write(append(b, '\n'))
	}
	sayNext := func() {
		if len(prompts) == 0 {
			stdin.Close()
			return
		}
		text := prompts[0]
		prompts = prompts[1:]
		say(map[string]any{"type": "user", "message": map[string]any{"role": "user", "content": text}})
	}
	sayNext()

	r.hear(stdout, log, report, say, sayNext)
	err = cmd.Wait()
	report.Client.Millis = time.Since(started).Milliseconds()
	report.Client.TimedOut = ctx.Err() != nil
	report.Client.ExitCode = cmd.ProcessState.ExitCode()
	report.Client.Stderr = term.Clip(stderr.String(), 4000)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !report.Client.TimedOut {
		return err
	}
	return nil
}

// hear takes down what the client says on standard output until it ends, copies it to
// log, and answers: a question with what the scenario says, a result with the next prompt.
func (r *runner) hear(stdout io.Reader, log io.Writer, report *Report, say func(any), sayNext func()) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(make([]byte, 1<<20), 64<<20) // the client puts whole tool results on one line
	interrupt := r.scenario.InterruptAt
	for lines.Scan() {
		fmt.Fprintln(log, lines.Text())
		if interrupt != "" && strings.Contains(lines.Text(), interrupt) {
			interrupt = ""
			time.AfterFunc(time.Second, func() {
				say(map[string]any{"type": "control_request", "request_id": "interrupt", "request": map[string]any{"subtype": "interrupt"}})
			})
		}
		var msg map[string]any
		if json.Unmarshal(lines.Bytes(), &msg) != nil {
			continue
		}
		switch kind, _ := msg["type"].(string); {
		case kind == "system" && msg["subtype"] == "init":
			report.Client.Version, _ = msg["claude_code_version"].(string)
			report.Client.SessionID, _ = msg["session_id"].(string)
			report.Client.Tools = msg["tools"]
		case kind == "system" && msg["subtype"] == "hook_response":
			report.ClientSaw = append(report.ClientSaw, msg)
		case kind == "system" && msg["subtype"] == "informational":
			text, _ := msg["content"].(string)
			report.Shown = append(report.Shown, text)
		case kind == "control_request":
			report.Client.Asked = append(report.Client.Asked, msg["request"])
			answer := r.controlAnswer(msg)
			time.AfterFunc(time.Duration(r.scenario.PermissionDelayMS)*time.Millisecond, func() { say(answer) })
		case kind == "result":
			report.Client.Result = msg
			sayNext()
		}
	}
}

// controlAnswer answers the client's question whether a tool may run.
func (r *runner) controlAnswer(msg map[string]any) map[string]any {
	id := msg["request_id"]
	request, _ := msg["request"].(map[string]any)
	if request["subtype"] != "can_use_tool" {
		return map[string]any{"type": "control_response", "response": map[string]any{"subtype": "error", "request_id": id, "error": "not supported by the harness"}}
	}
	answer := map[string]any{"behavior": "allow", "updatedInput": request["input"]}
	if r.scenario.Permission == "deny" {
		answer = map[string]any{"behavior": "deny", "message": "denied by the harness"}
	}
	return map[string]any{"type": "control_response", "response": map[string]any{"subtype": "success", "request_id": id, "response": answer}}
}
