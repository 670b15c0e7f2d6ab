package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/hook"
	"github.com/modu-ai/moai/internal/toml"
)

// Codex runs a hook that its user has looked at. What was looked at stands in its config.toml: the place of the hook, and a hash of what it
// runs. The trust that moai writes, after a yes, stands between two lines of its own.
const (
	trustBegins = "# moai: these hooks were agreed to with moai init --agent codex\n"
	trustEnds   = "# moai: end\n"
)

// ErrTrust says that config.toml is not as moai could add to it.
var ErrTrust = errors.New("trust cannot be added")

// TrustOf lists what Codex has to trust of the hooks.json at path whose content is data: moai's own entries.
func TrustOf(path string, data []byte, unmatched func(event string) bool) (string, error) {
	root, err := hook.Parse(string(data))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for event, groups := range root.Get("hooks").Members() {
		at := 0
		for group := range groups.Items() {
			n := 0
			for h := range group.Get("hooks").Items() {
				if words := shellWords(h.Get("command").Text()); len(words) > 1 && isMoai(words[0]) && words[1] == "hook" {
					key := fmt.Sprintf("%s:%s:%d:%d", path, snake(event), at, n)
					matcher := group.Get("matcher")
					if unmatched(event) {
						matcher = ""
					}
					fmt.Fprintf(&b, "[hooks.state.%s]\ntrusted_hash = \"sha256:%s\"\n", quote(key), trustHash(snake(event), h, matcher))
				}
				n++
			}
			at++
		}
	}
	return b.String(), nil
}

// Trusted reports that a config.toml trusts each hook that TrustOf has listed: each place has its hash there. It does not matter whether
// moai or the user of Codex wrote it.
func Trusted(config []byte, trust string) bool {
	have, want := trustedHashes(config), trustedHashes([]byte(trust))
	for place, hash := range want {
		if have[place] != hash {
			return false
		}
	}
	return want != nil
}

// trustedHashes are the hashes of a config.toml by their places, nil where it cannot be read.
func trustedHashes(config []byte) map[string]string {
	doc, err := toml.Parse(config)
	if err != nil {
		return nil
	}
	hooks, _ := doc.Tree()["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	list := make(map[string]string, len(state))
	for place, one := range state {
		table, _ := one.(map[string]any)
		list[place], _ = table["trusted_hash"].(string)
	}
	return list
}

// trustHash is Codex's own, over compact JSON with sorted keys.
func trustHash(event string, h, matcher hook.Value) string {
	type handler struct {
		Async   bool   `json:"async"`
		Command string `json:"command"`
		Status  string `json:"statusMessage,omitempty"`
		Timeout int64  `json:"timeout"`
		Type    string `json:"type"`
	}
	identity := struct {
		Event   string    `json:"event_name"`
		Hooks   []handler `json:"hooks"`
		Matcher *string   `json:"matcher,omitempty"`
	}{Event: event, Hooks: []handler{{h.Get("async").Bool(), h.Get("command").Text(), h.Get("statusMessage").Text(), h.Get("timeout").Int(), "command"}}}
	if m := matcher.Text(); matcher.Present() {
		identity.Matcher = &m
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(identity) // texts and numbers
	s := sha256.Sum256(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return hex.EncodeToString(s[:])
}

// snake is the name of an event as its keys have it.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// PlanTrust adds trust to a config.toml, in place of what moai added before. A table that is there already would keep Codex from starting: then it is an error.
func PlanTrust(old []byte, trust string) ([]byte, error) {
	rest, err := RemoveTrust(old)
	if err != nil || trust == "" {
		return rest, err
	}
	text := string(rest)
	if sealed(text) {
		return nil, fmt.Errorf("%w: its hooks are written in one line, which nothing can be added to from outside", ErrTrust)
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text += trustBegins + trust + trustEnds
	if _, err := toml.Parse([]byte(text)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTrust, err)
	}
	return []byte(text), nil
}

// sealed reports a table of hooks, or of what is trusted of them, that stands behind an equals sign: TOML forbids to go on with it elsewhere, and not every parser of it
// says so.
func sealed(text string) bool {
	table := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key := strings.TrimLeft(line, `"'`)
		switch {
		case strings.HasPrefix(line, "["):
			table = strings.Trim(line, "[] ")
		case table == "" && strings.HasPrefix(key, "hooks"), table == "hooks" && strings.HasPrefix(key, "state"):
			return true
		}
	}
	return false
}

// RemoveTrust takes out what PlanTrust has added.
func RemoveTrust(old []byte) ([]byte, error) {
	before, rest, ok := bytes.Cut(old, []byte(trustBegins))
	if !ok {
		return old, nil
	}
	_, after, ok := bytes.Cut(rest, []byte(trustEnds))
	if !ok {
		return nil, fmt.Errorf("%w: %q is there, and %q is not behind it", ErrTrust, strings.TrimSpace(trustBegins), strings.TrimSpace(trustEnds))
	}
	return append(bytes.Clone(before), after...), nil
}
