package port

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Status is how a port stands. Running is no part of its file: a claim makes it.
type Status string

// The statuses.
const (
	Pending  Status = "pending"
	Running  Status = "running"
	Blocked  Status = "blocked" // a person or an agent says so, beside what it waits for
	Complete Status = "complete"
	Dropped  Status = "dropped" // not to be done after all
)

// Port is one unit of work.
type Port struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Status Status   `json:"status"`
	Why    string   `json:"why,omitempty"` // it is blocked, or was dropped
	Needs  []string `json:"needs"`         // ports that have to be over first
	Parent string   `json:"parent,omitempty"`
	Found  string   `json:"found_in,omitempty"` // the port during which it was found
	Files  []string `json:"files"`              // patterns of the files that it is about, relative to the project

	Created time.Time `json:"created_at,omitzero"`
	Ended   time.Time `json:"ended_at,omitzero"`
	Proof   *Proof    `json:"proof,omitempty"` // once it is complete
	Text    string    `json:"text,omitempty"`

	Path string    `json:"file"`
	doc  *document // as it stands there
	size int       // of it, in bytes
}

// Proof is what came of a port when it ended.
type Proof struct {
	Verified bool     `json:"verified"`
	Missing  []string `json:"missing,omitempty"` // to be verified
	Seconds  int      `json:"seconds"`           // that sessions were at it
	Turns    int      `json:"turns"`
	Tokens   int      `json:"tokens"` // that these took, of sessions whose conversation is still there
	Changed  int      `json:"files"`  // files that were changed
	Commits  int      `json:"commits"`
	Saved    int      `json:"snapshots"`
}

// Over reports a port that nobody has to work on any more.
func (p *Port) Over() bool { return p.Status == Complete || p.Status == Dropped }

// Bounds of what a port says of itself, in characters.
const (
	longestID    = 400
	longestTitle = 200
)

// The ways in which an id is none.
var (
	ErrNoID  = errors.New("an id needs a letter or a digit")
	ErrOddID = errors.New("an id is one line, without control characters")
)

// CheckID normalises an id: letters of one look are one id, whoever typed them.
func CheckID(id string) (string, error) {
	id = norm.NFC.String(strings.TrimSpace(id))
	switch {
	case !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl):
		return "", ErrOddID
	case !strings.ContainsFunc(id, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "", ErrNoID
	case utf8.RuneCountInString(id) > longestID:
		return "", fmt.Errorf("an id has %d characters at most", longestID)
	}
	return id, nil
}

// newID is one that nobody else makes: numbers that count up are the same in two clones.
func newID() string {
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	id := []byte("p-")
	for range 5 { // of a thousand ports in two clones, one in thirty has a namesake, and it gets another id
		id = append(id, letters[rand.IntN(len(letters))])
	}
	return string(id)
}

// Slug makes an id that people can type out of a text: letters and digits, and a dash for all else.
func Slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFC.String(text)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// tidy puts what is free text into the bounds of a line.
func (p *Port) tidy() {
	line := func(s string) string {
		s = strings.Join(strings.FieldsFunc(norm.NFC.String(strings.ToValidUTF8(s, "�")), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
		if r := []rune(s); len(r) > longestTitle {
			s = string(r[:longestTitle])
		}
		return s
	}
	p.Title, p.Why = line(p.Title), line(p.Why)
	for _, list := range []*[]string{&p.Needs, &p.Files} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}
