package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/when"
)

// Loosened lists what protects less than it does by default, with its source, a few words each.
func (c *Config) Loosened() []string {
	var list []string
	for _, key := range c.Loose() {
		list = append(list, fmt.Sprintf("%s is %s (%s)", key, c.String(key), c.Where(key)))
	}
	return list
}

// Loose are the keys of what protects less than it does by default.
func (c *Config) Loose() []string {
	var list []string
	for i := range Keys {
		k := &Keys[i]
		less := k.short && c.Duration(k.Name) < duration0(k.Default)
		if order := k.order(); k.trust == tighten && len(order) > 0 {
			less = slices.Index(order, c.values[i]) < slices.Index(order, k.Default)
		}
		if less {
			list = append(list, k.Name)
		}
	}
	return list
}

func duration0(text string) time.Duration {
	d, _ := when.Length(text)
	return d
}

// Guards reports a key that protects something, which not everybody may loosen.
func Guards(key string) bool { return Keys[must(key)].trust != anyone }

// Tightens reports whether a value of the user's own in the place of key's loosens nothing.
func (c *Config) Tightens(key, value string) bool {
	i := must(key)
	return c.mayTighten(i, value) || c.keepsMore(i, value)
}

// keepsMore reports a value that keeps more checkpoints than the present one. The user may set such a value. A project may not: it could fill the
// disk of everybody who clones it.
func (c *Config) keepsMore(i int, value string) bool {
	k := &Keys[i]
	v, err := Check(k.Name, value)
	if k.more == noMore || err != nil {
		return false
	}
	to, err := strconv.ParseUint(v, 10, 63)
	from, err2 := strconv.ParseUint(c.values[i], 10, 63)
	if k.more == moreEndless { // 0 becomes the greatest one
		to, from = to-1, from-1
	}
	return err == nil && err2 == nil && to >= from
}

// ProjectMay says in one line why a project's file cannot set key to value, or
// returns nil. base is the configuration without that file.
func (c *Config) ProjectMay(key, value string) error {
	if i := must(key); c.mayTighten(i, c.joined(i, value)) {
		return nil
	}
	return fmt.Errorf("a project may not set %s to %q: a project can only tighten, and that could loosen what protects its users", key, value)
}

// mayTighten reports whether somebody who may loosen nothing may set key i to value.
func (c *Config) mayTighten(i int, value string) bool {
	k := &Keys[i]
	if k.kind == place {
		return false
	}
	switch k.trust {
	case anyone:
		v, err := Check(k.Name, value)
		return k.mine == "" || err != nil || v != k.mine || v == c.values[i]
	case tighten:
		v, err := Check(k.Name, value)
		if k.kind == names && err == nil {
			return c.tighterNames(i, v)
		}
		if k.kind == paths && err == nil {
			return within(strings.Fields(v), strings.Fields(c.values[i]))
		}
		// What is no value at all is for set to refuse, which says what would be one.
		return err != nil || slices.Index(k.order(), v) >= slices.Index(k.order(), c.values[i])
	}
	return false
}
