package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// check holds a report against one expectation; every field gives its own
// verdict, so that a failure names what did not hold.
func (e Expect) check(rep *Report, project string) []Check {
	var out []Check
	add := func(ok bool, got, format string, a ...any) {
		what := fmt.Sprintf(format, a...)
		if e.Note != "" {
			what = e.Note + " [" + what + "]"
		}
		if ok {
			got = ""
		}
		out = append(out, Check{ok, what, term.Clip(got, 300)})
	}
	if e.Hook != "" {
		n := 0
		for _, h := range rep.Hooks {
			if h.Event == e.Hook && e.matches(h) {
				n++
			}
		}
		label := strings.TrimSpace(fmt.Sprintf("%s %s %v", e.Hook, e.Tool, describeWhere(e.Where)))
		if e.Count == nil {
			add(n > 0, strconv.Itoa(n), "hook %s ran", label)
		} else {
			add(n == *e.Count, strconv.Itoa(n), "hook %s ran %d times", label, *e.Count)
		}
	}
	e.checkAnswers(rep, add)
	e.checkRequests(rep, add)
	e.checkResults(rep, add)
	if e.File != "" {
		b, err := os.ReadFile(filepath.Join(project, e.File))
		switch {
		case e.FileAbsent:
			add(errors.Is(err, fs.ErrNotExist), "it exists", "file %s does not exist", e.File)
		default:
			add(err == nil && strings.Contains(string(b), e.FileContains), orText(string(b), fmt.Sprint(err)), "file %s contains %q", e.File, e.FileContains)
		}
	}
	for field, want := range e.Result {
		got := lookup(map[string]any(rep.Client.Result), field)
		add(strings.Contains(got, want), got, "the client's result has %q in %s", want, field)
	}
	if e.ClientStderr != "" {
		add(strings.Contains(rep.Client.Stderr, e.ClientStderr), rep.Client.Stderr, "the client's stderr contains %q", e.ClientStderr)
	}
	if e.ClientExit != nil {
		add(rep.Client.ExitCode == *e.ClientExit, strconv.Itoa(rep.Client.ExitCode), "client exit code %d", *e.ClientExit)
	}
	return out
}

// checkRequests looks at what reached the model.
func (e Expect) checkRequests(rep *Report, add func(ok bool, got, format string, a ...any)) {
	anyRequest := func(text string) bool {
		for _, q := range rep.Requests {
			if strings.Contains(q.text, text) {
				return true
			}
		}
		return false
	}
	if e.FirstRequestContains != "" {
		first := "" // no request at all is no pass
		if i := slices.IndexFunc(rep.Requests, func(q *Request) bool { return q.Lane == "main" }); i >= 0 {
			first = rep.Requests[i].text
		}
		add(strings.Contains(first, e.FirstRequestContains), term.Clip(first, 200), "the first request contains %q", e.FirstRequestContains)
	}
	for text, want := range e.LastRequestCounts {
		got := -1
		for _, q := range rep.Requests {
			if q.Lane == "main" {
				got = strings.Count(q.text, text)
			}
		}
		add(got == want, strconv.Itoa(got), "the last request has %q %d times", text, want)
	}
	if e.RequestContains != "" {
		add(anyRequest(e.RequestContains), "no request has it", "a request contains %q", e.RequestContains)
	}
	if e.RequestLacks != "" {
		add(!anyRequest(e.RequestLacks), "a request has it", "no request contains %q", e.RequestLacks)
	}
	if e.RequestPath != "" {
		n := 0
		for _, q := range rep.Requests {
			if q.Path == e.RequestPath {
				n++
			}
		}
		add(n > 0, strconv.Itoa(n), "a request to %s", e.RequestPath)
	}
	if e.MainRequests != nil {
		n := 0
		for _, q := range rep.Requests {
			if q.Lane == "main" {
				n++
			}
		}
		add(n == *e.MainRequests, strconv.Itoa(n), "%d requests of the main conversation", *e.MainRequests)
	}
}

// checkResults looks at what the client told the model that its tools did.
func (e Expect) checkResults(rep *Report, add func(ok bool, got, format string, a ...any)) {
	anyResult := func(text string) bool {
		for _, t := range rep.ToolResults {
			if strings.Contains(t.Text, text) {
				return true
			}
		}
		return false
	}
	results, _ := json.Marshal(rep.ToolResults)
	if e.ToolResultContains != "" {
		add(anyResult(e.ToolResultContains), string(results), "a tool result contains %q", e.ToolResultContains)
	}
	if e.ToolResultLacks != "" {
		add(!anyResult(e.ToolResultLacks), string(results), "no tool result contains %q", e.ToolResultLacks)
	}
}

// checkAnswers looks at what the picked hooks answered and at what the user saw
// of it.
func (e Expect) checkAnswers(rep *Report, add func(ok bool, got, format string, a ...any)) {
	for _, h := range rep.Hooks {
		if e.Hook == "" || h.Event != e.Hook || !e.matches(h) {
			continue
		}
		if e.Stdout != "" {
			add(strings.Contains(h.Stdout, e.Stdout), orText(h.Stdout, "nothing"), "%s answers with %q", e.Hook, e.Stdout)
		}
		if e.StdoutLacks != "" {
			add(!strings.Contains(h.Stdout, e.StdoutLacks), h.Stdout, "%s answers without %q", e.Hook, e.StdoutLacks)
		}
		if e.StdoutIs != "" {
			add(strings.TrimSpace(h.Stdout) == e.StdoutIs, orText(h.Stdout, "nothing"), "%s answers %q", e.Hook, e.StdoutIs)
		}
		if e.HookExit != nil {
			add(h.ExitCode == *e.HookExit, strconv.Itoa(h.ExitCode), "%s exits with %d", e.Hook, *e.HookExit)
		}
		if e.WithinMS > 0 {
			add(h.Millis <= e.WithinMS, strconv.FormatInt(h.Millis, 10), "%s takes at most %d ms", e.Hook, e.WithinMS)
		}
	}
	for event, want := range e.ClientSaw {
		got := []string{}
		for _, m := range rep.ClientSaw {
			if m["hook_event"] == event {
				got = append(got, fmt.Sprint(m["outcome"]))
			}
		}
		if len(got) == 0 {
			got = []string{"none"}
		}
		add(!slices.ContainsFunc(got, func(o string) bool { return o != want }), strings.Join(got, ", "), "the client saw %s of %s hooks", want, event)
	}
	shown := strings.Join(rep.Shown, "\n")
	if e.UserSees != "" {
		add(strings.Contains(shown, e.UserSees), orText(shown, "nothing"), "the user sees %q", e.UserSees)
	}
	if e.UserLacks != "" {
		add(!strings.Contains(shown, e.UserLacks), shown, "the user does not see %q", e.UserLacks)
	}
	if e.Asked != nil {
		add(len(rep.Client.Asked) == *e.Asked, strconv.Itoa(len(rep.Client.Asked)), "%d permission questions", *e.Asked)
	}
}

// check compares a step with what it did.
func (s Step) check(got StepReport) Check {
	c := Check{What: fmt.Sprintf("%s exits with %d", orText(s.Note, s.Run), s.Exit), OK: got.Exit == s.Exit && strings.Contains(got.Output, s.Contains)}
	if s.Contains != "" {
		c.What += fmt.Sprintf(" and says %q", s.Contains)
	}
	if !c.OK {
		c.Got = term.Clip(fmt.Sprintf("exit %d: %s", got.Exit, got.Output), 1000)
	}
	return c
}

// matches says whether a hook call is one that the expectation picks.
func (e Expect) matches(h HookRecord) bool {
	var in any
	_ = json.Unmarshal(h.Stdin, &in)
	if e.Tool != "" && lookup(in, "tool_name") != e.Tool {
		return false
	}
	for path, want := range e.Where {
		if !strings.Contains(lookup(in, path), want) {
			return false
		}
	}
	return true
}

// lookup reads a dotted path out of decoded JSON, as text.
func lookup(v any, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return ""
		}
		v = m[key]
	}
	switch t := v.(type) {
	case nil:
		return ""
	case string:
		return t
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func describeWhere(w map[string]string) string {
	if len(w) == 0 {
		return ""
	}
	b, _ := json.Marshal(w)
	return string(b)
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
