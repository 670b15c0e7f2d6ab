package settings

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

//go:embed opencode.js
var plugin string

// PlanAgent returns the file of an agent with moai's part in it.
func PlanAgent(in *rule.Install, old []byte, want Registration) ([]byte, error) {
	switch in.Form {
	case "plugin":
		program, err := json.Marshal(want.Program)
		if err != nil || !absolute(want.Program) || !isMoai(want.Program) {
			return nil, fmt.Errorf("%w: %s", ErrProgram, want.Program)
		}
		closed := len(want.Hooks) > 0 && want.Hooks[0].Failure == Block
		return []byte(strings.NewReplacer(`"@PROGRAM@"`, string(program), "@CLOSED@", fmt.Sprint(closed)).Replace(plugin)), nil
	case "flat":
		return PlanFlat(old, want)
	}
	for i := range want.Hooks { // nobody else's word for it
		want.Hooks[i].Failure = AnyFailure
	}
	return Plan(old, want)
}

// ErrForeign means that a file is there under the name of moai's own, and is not moai's.
var ErrForeign = errors.New("is there, and was not written by moai")

// StripAgent takes moai's part out of the file of an agent.
func StripAgent(in *rule.Install) func(data []byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		switch {
		case isBlank(data):
			return data, nil
		case in.Form == "plugin":
			return nil, foreign(strings.HasPrefix(string(data), "// moai: "))
		case in.Form == "flat":
			return RemoveFlat(data)
		}
		rest, err := Remove(data)
		if err == nil && in.Alone && strings.TrimSpace(string(rest)) == "{}" {
			return nil, nil
		}
		return rest, err
	}
}

// StripBeside takes out a file that is moai's alone.
func StripBeside(beside *rule.Beside) func(data []byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) { return nil, foreign(isBlank(data) || string(data) == beside.Text) }
}

func foreign(own bool) error {
	if own {
		return nil
	}
	return ErrForeign
}
