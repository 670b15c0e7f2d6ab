package config

import (
	"fmt"
	"slices"

	"github.com/modu-ai/moai/internal/term"
)

// Ignored is a variable of a setting that does not count.
type Ignored struct {
	Key      string
	Variable string
	Value    string
	Agent    bool // it would count where no agent runs moai
	Alias    bool // it would count if the user's own settings trusted it
}

// Why says in a few words why it does not count.
func (i Ignored) Why() string {
	switch {
	case i.Alias:
		return "not trusted"
	case i.Agent:
		return "loosens, run by an agent"
	}
	return "no variable sets it"
}

func (i Ignored) String() string {
	if i.Alias {
		return Distrusted(i.Variable)
	}
	if !i.Agent {
		return fmt.Sprintf("%s does not count: no variable sets %s", i.Variable, i.Key)
	}
	return fmt.Sprintf("%s=%s does not count: where an agent runs moai a variable may only tighten, and your own setting is made with: moai config set %s VALUE", i.Variable, term.Clip(i.Value, mostQuoted), i.Key)
}

// Distrusted says that a variable does not count, and whose word would.
func Distrusted(variable string) string {
	return variable + " does not count: settings of this project may have set it. Your own word is: moai config set env.trust " + variable
}

// aliases applies the variables of other programs. What an agent started believes one only by the user's word, or where the
// client itself began with it.
func (c *Config) aliases(s *Sources) {
	for n := range s.Aliases {
		a := &s.Aliases[n]
		v := s.Getenv(a.Variable)
		i := Find(a.Key)
		if v == "" || i < 0 {
			continue
		}
		if a.When != "" {
			if v != a.When {
				continue
			}
			v = a.Sets
		}
		if on := &Keys[i]; v != "true" && v != "false" && (on.kind == boolean || on.Old == truths) {
			c.Problems = append(c.Problems, fmt.Sprintf("%s is %q, want true or false", a.Variable, term.Clip(v, mostQuoted)))
			continue
		}
		switch {
		case v == c.values[i]:
		case s.Agent && !c.Trusts(a.Variable, s.Getenv(a.Variable), s.Began):
			c.Ignored = append(c.Ignored, Ignored{Key: a.Key, Variable: a.Variable, Value: v, Alias: true})
		default:
			c.set(i, v, "environment", a.Variable)
		}
	}
}

// Trusts reports that a variable of a process that an agent started is the user's word: the user's own settings name it, or the
// client began with it, before it read any settings.
func (c *Config) Trusts(variable, value string, began func(string) (string, bool)) bool {
	if slices.Contains(c.Names("env.trust"), variable) {
		return true
	}
	if began == nil {
		return false
	}
	was, known := began(variable)
	return known && was == value
}

// environment applies the variables that count.
func (c *Config) environment(getenv func(string) string, agent bool) {
	for i := range Keys {
		k := &Keys[i]
		name := EnvName(k.Name)
		v := getenv(name)
		if agent {
			v = c.joined(i, v)
		}
		switch {
		case v == "", v == c.values[i]:
		case !k.Variable(), agent && !c.mayTighten(i, v):
			c.Ignored = append(c.Ignored, Ignored{Key: k.Name, Variable: name, Value: v, Agent: k.Variable()})
		default:
			c.set(i, v, "environment", name)
		}
	}
}

// EnvName is the environment variable of a key: a.b_c → MOAI_A_B_C.
func EnvName(key string) string {
	name := make([]byte, 0, 64) // each hook call asks for the names of all keys
	name = append(name, "MOAI_"...)
	for _, c := range []byte(key) {
		switch {
		case c == '.':
			c = '_'
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		name = append(name, c)
	}
	return string(name)
}
