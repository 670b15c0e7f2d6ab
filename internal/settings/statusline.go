package settings

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"github.com/modu-ai/moai/internal/argv"
)

// The client has one status line: the command of the last file that names one. It is shell text on every system.

const (
	statusLine = "statusLine"
	lineVerb   = "statusline"
	// lineRefresh is after how many seconds the client asks again where nothing happens: what other sessions do shows, and
	// that somebody switched the guard off.
	lineRefresh = 5
)

// Line is the status line that a settings file names.
type Line struct {
	Command string
	Own     bool // it is moai's
	Program string
	ByName  bool // looked for on PATH, and nothing where there is none
	At      int  // its line in the file, from 1
}

// StatusLine is the status line that a file names, nil where it names none.
func StatusLine(data []byte) (*Line, error) {
	if isBlank(data) {
		return nil, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	return d.statusLine(), nil
}

func (d *document) statusLine() *Line {
	v := member(d.object, statusLine)
	if v == nil {
		return nil
	}
	l := &Line{At: d.line(v.StartOffset)}
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return l
	}
	l.Command = text(member(obj, "command"))
	plain := unwrapped(l.Command)
	words := shellWords(plain)
	if len(words) > 1 && isMoai(words[0]) && words[1] == lineVerb {
		l.Own, l.Program, l.ByName = true, words[0], plain != l.Command
	}
	return l
}

// TakenError says that a file names a status line of somebody else.
type TakenError struct{ Line }

func (t *TakenError) Error() string {
	return fmt.Sprintf("line %d: there is a status line already: %s", t.At, t.Command)
}

// PlanLine returns old with the status line of moai in it, as Plan does hooks. What people have set about it (padding, how often) stays.
// The error is a *TakenError where somebody else's is there.
func PlanLine(old []byte, want Registration) ([]byte, error) {
	d, err := parse(orEmpty(old))
	if err != nil {
		return nil, err
	}
	if err := d.unique(d.object, func(name string) bool { return name == statusLine }); err != nil {
		return nil, err
	}
	command := portable([]string{lineVerb})
	if !want.Portable {
		command = lineProgram(want.Program) + " " + lineVerb
	}
	switch l := d.statusLine(); {
	case l == nil:
		d.insert(d.root, field{statusLine, object{{"type", quote("command")}, {"command", quote(command)}, {"refreshInterval", strconv.Itoa(lineRefresh)}}})
	case !l.Own:
		return nil, &TakenError{*l}
	case l.Command != command:
		d.set(member(d.object, statusLine).Value.(*hujson.Object), "command", quote(command), nil)
	}
	if d, err = d.applied(); err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// lineProgram is a program as shells take it. On Windows that is Git Bash or PowerShell, and both take slashes.
func lineProgram(program string) string {
	if runtime.GOOS == "windows" {
		program = filepath.ToSlash(program)
	}
	return argv.Quote(program)
}

// RemoveLine returns old without the status line of moai.
func RemoveLine(old []byte) ([]byte, error) {
	if isBlank(old) {
		return old, nil
	}
	d, err := parse(old)
	if err != nil {
		return nil, err
	}
	if l := d.statusLine(); l == nil || !l.Own {
		return old, nil
	}
	at := slices.IndexFunc(d.object.Members, func(m hujson.ObjectMember) bool { return text(&m.Name) == statusLine })
	d.cut(d.root, map[int]bool{at: true})
	if d, err = d.applied(); err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// orEmpty is a text with an object in it: the client takes a file without anything for one without settings.
func orEmpty(text []byte) []byte {
	if isBlank(text) {
		return append(append([]byte{}, text...), "{}\n"...)
	}
	return text
}
