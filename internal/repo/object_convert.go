package repo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// Conversion says what git does to a file's bytes before it stores them, as far as that matters to somebody who wants the bytes
// themselves.
type Conversion uint8

// The answers of a Converter.
const (
	NotConverted Conversion = iota
	// Shrinks is a conversion of line ends or of $Id$: what is stored is shorter, unless it is the same.
	Shrinks
	// Replaced is a filter program, LFS or a re-encoding: what is stored can be anything.
	Replaced
)

// A Converter tells for a path whether its blob can differ from its file although git calls the file unchanged.
type Converter func(path string) Conversion

// Converter reads configuration and attributes. It is nil where nothing is converted at all, which is known from a look at the
// attribute files, without asking about every path. more are attribute files that are not in the index.
func (r *Repo) Converter(ix *Index, more []string) Converter {
	if !r.mayConvert(ix, more) {
		return nil
	}
	attrs := r.attributes(ix, nil, nil)
	return func(path string) Conversion {
		switch c := r.conversionOf(attrs, path); {
		case c.lfs || c.opaque:
			return Replaced
		case c.none():
			return NotConverted
		}
		return Shrinks
	}
}

// mayConvert says whether core.autocrlf is set or any attribute file asks for a conversion.
func (r *Repo) mayConvert(ix *Index, more []string) bool {
	c := r.Config()
	if c.Bool("core.autocrlf", false) || strings.EqualFold(c.String("core.autocrlf"), "input") {
		return true
	}
	global := c.Path("core.attributesfile")
	if !c.Has("core.attributesfile") {
		global = xdgFile("attributes")
	}
	files := []string{global, filepath.Join(r.CommonDir, "info", "attributes")}
	if no, _ := ParseBool(os.Getenv("GIT_ATTR_NOSYSTEM")); !no {
		for _, p := range systemConfigs() {
			files = append(files, filepath.Join(filepath.Dir(p), "gitattributes"))
		}
	}
	for _, p := range files {
		if p != "" && asksForConversion(r.outside(p)) {
			return true
		}
	}
	for _, p := range more {
		if asksForConversion(r.ruleFile(p)) {
			return true
		}
	}
	for i := range ix.entries {
		name := ix.entries[i].name
		if !strings.HasSuffix(name, ".gitattributes") || len(name) > 14 && name[len(name)-15] != '/' {
			continue
		}
		b := r.ruleFile(name)
		if b == nil {
			b = r.indexed(ix, name, false)
		}
		if asksForConversion(b) {
			return true
		}
	}
	return false
}

// asksForConversion looks for an attribute that turns a conversion on; "-text" and "binary" only turn it off. A word in a pattern
// or a comment may be taken for one, which costs time and nothing else.
func asksForConversion(b []byte) bool {
	for word := range bytes.FieldsSeq(b) {
		name, _, _ := bytes.Cut(word, []byte("="))
		switch string(name) {
		case "text", "crlf", "eol", "ident", "filter", "working-tree-encoding":
			return true
		}
	}
	return false
}
