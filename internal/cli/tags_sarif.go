package cli

import (
	"encoding/json"
	"fmt"
	"net/url"

	tables "github.com/modu-ai/moai/generated/tags"
	"github.com/modu-ai/moai/internal/build"
	"github.com/modu-ai/moai/internal/tag"
)

// A sarifText is a message of SARIF.
type sarifText struct {
	Text string `json:"text"`
}

// sarifResult is one finding in SARIF 2.1.0 (section 3.27 of the standard).
type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

// sarifLocation is a line of a file below the root of the sources.
type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI  string `json:"uri"` // relative, with blanks and Hangul encoded
			Base string `json:"uriBaseId"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

// sarifOf gives every finding a line: those that have none, such as a missing test, stand at the first one, since
// viewers drop a result without a region.
func sarifOf(f *tag.Finding) sarifResult {
	r := sarifResult{RuleID: f.Rule, Level: f.Severity, Message: sarifText{f.Text}}
	if f.Path != "" {
		var at sarifLocation
		at.Physical.Artifact.URI = (&url.URL{Path: f.Path}).String()
		at.Physical.Artifact.Base = "%SRCROOT%"
		at.Physical.Region.StartLine = max(f.Line, 1)
		r.Locations = []sarifLocation{at}
	}
	return r
}

// printSARIF prints a SARIF 2.1.0 document, a result at a time, as a tree may have a million.
func (e *env) printSARIF(found *tag.Findings) error {
	type rule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
		Help  sarifText `json:"help"`
	}
	rules := []rule{}
	for i := range tables.Problems {
		p := &tables.Problems[i]
		rules = append(rules, rule{p.ID, sarifText{p.Why}, sarifText{p.Instead}})
	}
	driver, err := json.Marshal(struct {
		URI     string `json:"informationUri"`
		Name    string `json:"name"`
		Rules   []rule `json:"rules"`
		Version string `json:"version"`
	}{"https://github.com/modu-ai/moai", "moai", rules, build.Current().String()})
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, `{
"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
"version": "2.1.0",
"runs": [{
"tool": {"driver": %s},
"results":
`, driver)
	err = printList(e, func(yield func(sarifResult) bool) {
		for f := range found.All() {
			if !yield(sarifOf(&f)) {
				return
			}
		}
	})
	fmt.Fprintln(e.out, "}]\n}")
	return err
}
