package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/hook"
)

// maxText is the length from which the client puts a text into a file and shows the model only its first 2 KB. It counts as
// JavaScript does: in UTF-16 units.
const maxText = 10000

// shorten cuts a text to maxText and says so at its end.
func shorten(s string) string {
	// No text has more UTF-16 units than bytes, so short ones are not counted.
	if len(s) <= maxText {
		return s
	}
	const room = maxText - 100 // for the hint
	units, cut := 0, len(s)
	for i, r := range s {
		if units <= room {
			cut = i
		}
		// Two for what lies beyond the basic plane, emoji for instance.
		if units++; r > 0xffff {
			units++
		}
	}
	if units <= maxText {
		return s
	}
	return fmt.Sprintf("%s\n… (cut by moai: %d of %d characters left out)", s[:cut], len([]rune(s[cut:])), len([]rune(s)))
}

// lines joins those texts that say something.
func lines(parts []string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p)
	}
	return b.String()
}

// note is a notification as text.
func note(n hook.Notification) string {
	text := n.Message
	if n.Title != "" && n.Message != "" {
		text = n.Title + ": " + n.Message
	} else if n.Title != "" {
		text = n.Title
	}
	if n.Action != "" {
		text += " (" + n.Action + ")"
	}
	return text
}

// marshal writes v as one line of JSON, with < and > as they are. Values that no JSON can hold can only come from a handler's
// free-form maps: reduce drops those, since losing them is better than losing a refusal.
func marshal(v any, reduce func()) []byte {
	text, err := encode(v, "")
	if err != nil {
		reduce()
		if text, err = encode(v, ""); err != nil {
			return []byte("{}\n")
		}
	}
	return text
}

func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// list is a list that is written as [] when it is empty, as all older dialects want it.
func list[T any](v []T) []T {
	if v == nil {
		return []T{}
	}
	return v
}

// refusal is the reason of a refusal, for dialects that cannot ask a person: there a question is a no, since going on without
// an answer is what the question was to prevent.
func refusal(a hook.Answer) (reason string, refused bool) {
	if a.Decision < hook.Ask {
		return a.Reason, false
	}
	if a.Reason == "" {
		return "moai does not allow this", true
	}
	return a.Reason, true
}

// verdict is the exit code and stderr of the older dialects.
func verdict(a hook.Answer, stdout []byte) Output {
	out := Output{Stdout: stdout}
	if reason, refused := refusal(a); refused {
		out.Exit, out.Stderr = exitRefused, []byte(reason+"\n")
	}
	return out
}
