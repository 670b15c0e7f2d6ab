package handle

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMaskedStrings(t *testing.T) {
	mask := func(text string) string { return strings.ReplaceAll(text, "s3cret", "***") }
	for in, want := range map[string]string{
		`{}`:                    `{}`,
		`{"a":1,"b":[true,""]}`: `{"a":1,"b":[true,""]}`,
		`{"a":"x s3cret y","b":["s3cret","z"],"n":3}`: `{"a":"x *** y","b":["***","z"],"n":3}`,
		`{"a\"s3cret":"\\","c":"\"s3cret\\"}`:         `{"a\"***":"\\","c":"\"***\\"}`,
		`{"a":"s3cre\u0074"}`:                         `{"a":"***"}`,
		`"s3cret`:                                     `"s3cret`,
	} {
		got := string(masked([]byte(in), mask))
		if got != want {
			t.Errorf("masked(%s) = %s, want %s", in, got, want)
		}
		if json.Valid([]byte(in)) && !json.Valid([]byte(got)) {
			t.Errorf("masked(%s) is no JSON: %s", in, got)
		}
	}
}
