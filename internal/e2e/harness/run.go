package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// runner is one run: the scenario, where it happens, and the mock's address.
type runner struct {
	scenario               *Scenario
	self                   string // this program
	client, out, extraPath string
	base                   string // the mock's address
	listener               net.Listener
	limit                  time.Duration
	bare                   bool
}

func (r *runner) dir(name string) string { return filepath.Join(r.out, name) }

// prepare lays out the folders of a run and makes its mock.
func (r *runner) prepare(project string) (*Mock, error) {
	fresh := []string{"hooks", "requests", "tmp"}
	stale := append(slices.Clone(fresh), "client-debug.log")
	if !r.scenario.Resume {
		stale = append(stale, "project", "home")
	}
	for _, d := range stale {
		if err := os.RemoveAll(r.dir(d)); err != nil {
			return nil, err
		}
	}
	for _, d := range append(fresh, "project", "home/.claude") {
		if err := os.MkdirAll(r.dir(d), 0o755); err != nil {
			return nil, err
		}
	}
	if err := r.prepareHome(); err != nil {
		return nil, err
	}
	if err := r.prepareProject(project); err != nil {
		return nil, err
	}
	return newMock(r.scenario, r.dir("requests"))
}

// run plays the scenario and holds the outcome against its checks.
func (r *runner) run(project string) (*Report, error) {
	mock, err := r.prepare(project)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: mock}
	go server.Serve(r.listener)
	defer server.Close()

	report := &Report{Scenario: r.scenario.Name, Out: r.out, TranscriptDir: r.dir("home/.claude/projects")}
	beside := make(chan StepReport, len(r.scenario.Beside))
	for _, line := range r.scenario.Beside {
		go func() { beside <- r.step(line) }()
	}
	if err := r.drive(report); err != nil {
		return nil, err
	}
	for range r.scenario.Beside {
		got := <-beside
		report.Steps = append(report.Steps, got)
		report.Checks = append(report.Checks, Step{Run: got.Run, Note: "beside the client"}.check(got))
	}
	for _, s := range r.scenario.Finish {
		got := r.step(s.Run)
		report.Steps = append(report.Steps, got)
		report.Checks = append(report.Checks, s.check(got))
	}
	if report.Hooks, err = readRecords(r.dir("hooks")); err != nil {
		return nil, err
	}
	if err := report.readShown(report.TranscriptDir); err != nil {
		return nil, err
	}
	mock.mu.Lock()
	defer mock.mu.Unlock()
	report.Requests = mock.requests
	seen := map[string]bool{}
	for _, q := range mock.requests {
		for _, t := range q.results {
			if !seen[t.ToolUseID] {
				seen[t.ToolUseID] = true
				report.ToolResults = append(report.ToolResults, t)
			}
		}
	}
	for _, e := range r.scenario.Expect {
		report.Checks = append(report.Checks, e.check(report, r.dir("project"))...)
	}
	report.OK = true
	for _, c := range report.Checks {
		report.OK = report.OK && c.OK
	}
	return report, nil
}

// prepareHome answers the client's first-run questions, among them whether the
// project is trusted: hooks in agent and skill files need that.
func (r *runner) prepareHome() error {
	file := r.dir("home/.claude/.claude.json")
	config := map[string]any{}
	if b, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(b, &config); err != nil {
			return err
		}
	}
	config["hasCompletedOnboarding"] = true
	config["theme"] = "dark"
	config["customApiKeyResponses"] = map[string]any{"approved": []string{"dummy"}, "rejected": []string{}}
	config["projects"] = map[string]any{r.dir("project"): map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}
	return writeFileJSON(file, config)
}

// prepareProject fills the copy: the given project or none, the scenario's files
// and settings, a repository, what the scenario prepares; hooks are wrapped last,
// so that moai init has been and gone.
func (r *runner) prepareProject(src string) error {
	dst := r.dir("project")
	if !r.scenario.Resume {
		if src != "" {
			if err := copyTree(src, dst); err != nil {
				return err
			}
		}
		for name, text := range r.scenario.Files {
			file := filepath.Join(dst, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			mode := os.FileMode(0o644)
			if strings.HasPrefix(text, "#!") {
				mode = 0o755
			}
			if err := os.WriteFile(file, []byte(text), mode); err != nil {
				return err
			}
		}
	}
	claude := filepath.Join(dst, ".claude")
	if len(r.scenario.Settings) > 0 {
		if err := os.MkdirAll(claude, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(claude, "settings.json"), r.scenario.Settings, 0o644); err != nil {
			return err
		}
	}
	if err := r.makeRepository(dst); err != nil {
		return err
	}
	if !r.scenario.Resume {
		for _, line := range r.scenario.Prepare {
			if step := r.step(line); step.Exit != 0 {
				return fmt.Errorf("prepare: %s: exit %d: %s", line, step.Exit, step.Output)
			}
		}
	}
	if r.bare || r.scenario.BareHooks || r.scenario.Resume && len(r.scenario.Settings) == 0 {
		return nil
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		if err := wrapSettings(filepath.Join(claude, name), r.self, r.dir("hooks")); err != nil {
			return err
		}
	}
	return nil
}

// makeRepository makes the project a Git repository with one commit, unless it
// is one already.
func (r *runner) makeRepository(dst string) error {
	if _, err := os.Stat(filepath.Join(dst, ".git")); err == nil {
		return nil
	}
	for _, a := range []string{"init -q -b main", "add -A", "commit -q --allow-empty -m start"} {
		cmd := exec.Command("git", strings.Fields(a)...)
		cmd.Dir, cmd.Env = dst, r.clientEnv()
		if b, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %v: %s", a, err, b)
		}
	}
	return nil
}

// step runs one line of shell text where, and with the environment that, the
// client runs, in a terminal as a person has it.
func (r *runner) step(line string) StepReport {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = r.dir("project"), r.clientEnv()
	leave, err := seat(cmd)
	if err != nil {
		return StepReport{Run: line, Exit: -1, Output: "make a terminal: " + err.Error()}
	}
	defer leave()
	out, err := cmd.CombinedOutput()
	report := StepReport{Run: line, Exit: cmd.ProcessState.ExitCode(), Output: string(out)}
	if err != nil && report.Output == "" {
		report.Output = err.Error()
	}
	return report
}

// copyTree copies folders, files with their permissions, and links as links.
func copyTree(src, dst string) error {
	return filepath.WalkDir(src, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, p)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		case info.Mode()&fs.ModeSymlink != 0:
			link, err := os.Readlink(p)
			if err != nil {
				return err
			}
			return os.Symlink(link, to)
		case !info.Mode().IsRegular():
			return nil
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, info.Mode().Perm())
	})
}

func writeFileJSON(name string, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
