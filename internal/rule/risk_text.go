package rule

import (
	"errors"
	"reflect"

	"github.com/modu-ai/moai/internal/toml"
)

// RiskText is a file of risk rules before it is decoded, so that whoever reads the files of others can ask first what that costs.
type RiskText struct {
	file string
	data []byte
	doc  *toml.Document
	err  error // it is no TOML
	dear bool  // or it would cost too much to find out
}

// ReadRisks reads a file of risk rules; a mistake in it is for Decode to say.
func ReadRisks(file string, data []byte) *RiskText {
	t := &RiskText{file: file, data: data}
	if t.doc, t.err = toml.Parse(data); t.err != nil {
		t.dear = errors.Is(t.err, toml.ErrUnread)
		t.err = unread(file, t.err)
	}
	return t
}

// File is the name under which it was read.
func (t *RiskText) File() string { return t.file }

// StrangeKeys counts the keys that no such file has. Each is a problem with words of its own.
// A file that is no TOML has none: its first mistake ends the reading.
func (t *RiskText) StrangeKeys() int {
	if t.err != nil {
		return 0
	}
	return t.doc.Strange(reflect.TypeFor[rawRisks]())
}
