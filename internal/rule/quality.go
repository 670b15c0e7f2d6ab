package rule

import (
	"io/fs"
)

// Quality is what is known of tests, formatters and what goes beside them: rules/quality.
type Quality struct {
	Tests TestWords
}

// TestWords say how the output and the arguments of tests are read.
type TestWords struct {
	None   []string // a line with one of these says that no test ran
	Ran    []string // a line with one of these, and none of the others, says that one did
	Narrow []string // options that pick some of the tests
}

// qualityFile is one file of the family.
type qualityFile struct {
	Output struct{ None, Ran []string }
	Narrow struct{ Options []string }
}

// LoadQuality reads rules/quality.
func LoadQuality(fsys fs.FS) (*Quality, error) {
	var r report
	all := &Quality{}
	each := func(raw *qualityFile) {
		r.id = ""
		t := &all.Tests
		t.None, t.Ran, t.Narrow = append(t.None, raw.Output.None...), append(t.Ran, raw.Output.Ran...), append(t.Narrow, raw.Narrow.Options...)
	}
	if err := load(&r, fsys, "quality", each); err != nil {
		return nil, err
	}
	return all, r.err()
}
