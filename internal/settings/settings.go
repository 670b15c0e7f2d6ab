// Package settings edits the settings.json of a coding agent so that its hooks
// call moai, and takes that out again.
//
// It is a planner of text edits, not a formatter: it parses only to learn where
// things are, and then inserts or deletes bytes. Its invariant: a byte that is
// not part of moai's own entries is never changed, moved or dropped, be it a
// comment, an odd indentation, a CRLF or a byte-order mark.
//
// It does not know which events there are: the caller brings the list.
package settings

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Hook is one wanted entry: on Event, for subjects that Matcher fits, the
// client runs the program with Args.
type Hook struct {
	Event   string   // spelled as the client spells it, e.g. "PreToolUse"
	Matcher string   // "" means always
	Args    []string // begins with "hook", which is how entries are recognised
	Timeout int      // seconds; 0 leaves the client's default
	Failure Failure  // what the client is to do when the hook fails
}

// Failure says what the client does when it gets no answer: the program is gone, crashes or takes too long.
type Failure int

// What an entry says about failing. The zero Failure leaves the entry as it is.
const (
	AnyFailure Failure = iota
	Continue           // as if there were no hook, which is what the client does unless told
	Block              // the call does not run
)

// Registration is all that moai wants to find in a settings file.
//
// Entries are written in exec form, command plus args, and not as shell text:
// no quoting can go wrong in a path with spaces or backslashes, Windows needs
// no Git Bash, and every call saves the start of a shell.
//
// A file that other people get, too, can name no path of one machine, and must do no harm where moai is not installed. Its
// entries are the one shell text of portable.
type Registration struct {
	Program  string // absolute path of the binary; "" with Portable
	Portable bool
	Line     bool // the entries are one line of shell text each, for clients that know no args
	ByName   bool // what people wrote stays: entries that find moai on PATH, as long as they like
	Hooks    []Hook
}

// ErrProgram is returned for a program that entries cannot name, or could not
// be recognised by later.
var ErrProgram = errors.New("the program must be an absolute path, in UTF-8, that ends in moai or moai.exe")

// Plan returns old with exactly the wanted entries of moai in it. Entries of
// moai with another path, matcher or timeout are brought up to date in place,
// keeping members that moai does not write (onFailure, statusMessage); entries
// for events that are not wanted go. Entries of others are never touched.
// (onFailure of an entry is kept where its hook has AnyFailure.)
//
// Plan(Plan(x)) is Plan(x), and a file that needs nothing comes back as it is.
// The error says what is wrong with old, as a *ShapeError where it has a line.
func Plan(old []byte, want Registration) ([]byte, error) {
	if !want.Portable && (!absolute(want.Program) || !isMoai(want.Program) || !utf8.ValidString(want.Program)) {
		return nil, fmt.Errorf("%w: %s", ErrProgram, want.Program)
	}
	for _, h := range want.Hooks {
		if h.Event == "" || len(h.Args) == 0 || h.Args[0] != "hook" {
			return nil, fmt.Errorf("hook for %q: arguments must begin with \"hook\", have %q", h.Event, h.Args)
		}
	}
	text := old
	if len(want.Hooks) > 0 {
		text = orEmpty(text)
	}
	d, err := parse(text)
	if err != nil {
		return nil, err
	}
	missing, err := d.update(want)
	if err != nil {
		return nil, err
	}
	// One insertion at a time: each looks at the file as the one before left
	// it, so that the second of two new events lands behind the first.
	for _, h := range missing {
		if d, err = d.applied(); err != nil {
			return nil, err
		}
		d.add(want, h)
	}
	if d, err = d.applied(); err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// Remove returns old without the entries of moai and its status line. Groups, events and the
// "hooks" object go too where that leaves them empty, unless a comment
// is in them.
func Remove(old []byte) ([]byte, error) {
	if isBlank(old) {
		return old, nil
	}
	old, err := RemoveLine(old)
	if err != nil {
		return nil, err
	}
	d, err := parse(old)
	if err != nil {
		return nil, err
	}
	own, err := d.own()
	if err != nil {
		return nil, err
	}
	d.drop(own, func(int) bool { return true })
	if d, err = d.applied(); err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

// Entry is one entry of moai as it stands in a file.
type Entry struct {
	Event   string
	Matcher string
	Program string   // as written; for shell text its first word
	Args    []string // without the program
	Shell   string   // the whole command when it is shell text, else ""
	ByName  bool     // it finds moai on PATH: by what moai writes for every machine, or as plain as people write it, `moai hook VERB`
	Blocks  bool     // the client blocks the call when this hook fails
	Timeout float64  // seconds; 0 when not given
	Line    int      // of the entry, from 1

	// BlockLine is the line that says so, 0 for none: who changes "block" to "continue" there gets out by hand.
	BlockLine int
}

// Entries lists the entries of moai in the order of the file.
func Entries(data []byte) ([]Entry, error) {
	if isBlank(data) {
		return nil, nil
	}
	d, err := parse(data)
	if err != nil {
		return nil, err
	}
	own, err := d.own()
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, o := range own {
		e := Entry{
			Event: o.event, Matcher: o.matcher, Program: o.call.program, Args: o.call.args,
			Shell: o.call.shell, ByName: o.call.byName(), Timeout: o.timeout(), Line: d.line(o.value.StartOffset),
		}
		if v := member(o.value.Value.(*hujson.Object), "onFailure"); text(v) == "block" {
			e.Blocks, e.BlockLine = true, d.line(v.StartOffset)
		}
		list = append(list, e)
	}
	return list, nil
}

// ShapeError says what in a settings file keeps moai from editing it.
type ShapeError struct {
	Line int // from 1
	Text string
}

func (e *ShapeError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Text) }

// isBlank reports whether there is no JSON at all; the client takes
// such a file for an empty one.
func isBlank(data []byte) bool {
	return strings.TrimSpace(strings.TrimPrefix(string(data), bom)) == ""
}
