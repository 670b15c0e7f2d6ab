// Package policy is which rules hold in a place: those that moai comes with, the user's, a project's; what of them was approved,
// which exceptions a person answered for, and which are used up. It reads and writes their files, so that package risk only judges.
//
// What a project's files say can tighten and never loosen, and costs a counted, bounded amount of work whatever is in them.
package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/modu-ai/moai/internal/config"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/state"
)

// Rules that are added without building: a project's can only tighten, since a
// cloned repository must not be able to switch its guard off; exceptions count
// from the user's own folder, or from a file that the user approved by its hash.

// Places are where rules are looked for. An empty one is skipped.
type Places struct {
	Config string // the user's configuration folder; rules are in its "rules"
	Root   string // the project; rules are in .moai/rules
	State  string // where spent exceptions are kept

	// Doubted says that Config could have come with a clone. Its rules count as a project's do, its exceptions and
	// approvals do not. Beside are further folders of that kind, and AlsoSpent are further folders in which an exception
	// may have been noted as spent: package state has all three.
	Doubted   bool
	Beside    []string
	AlsoSpent []string
}

// UserRules and ProjectRules are the two folders.
func (p Places) UserRules() string    { return join(p.Config, "rules") }
func (p Places) ProjectRules() string { return join(p.Root, ".moai", "rules") }
func (p Places) trusted() string      { return join(p.Config, config.TrustedFile) }
func (p Places) spent() string        { return join(p.State, spentFile) }

func join(base string, parts ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, parts...)...)
}

// Load puts the user's and the project's rules behind base. Without such files
// it returns base itself and costs two failed system calls. What is wrong in a
// file, or beyond the bounds, is in the error; everything readable is in the
// set. What a project's files may cost is bounded by what is in them, not by a clock:
// with the same files a busy machine gives the same verdict as an idle one.
func Load(base *risk.Set, p Places) (*risk.Set, error) {
	var user *rule.Risks
	var problems []error
	beside := p.Beside
	if p.Doubted {
		beside = append([]string{p.Config}, beside...)
	} else {
		user, problems = readRules(p.UserRules(), &userBounds, nil)
	}
	var project projectRules
	if files, err := p.projectFiles(); err != nil || len(files) > 0 {
		problems = append(problems, err)
		project.trusted, project.own, project.problems = readProject(files, p)
	}
	problems = append(problems, project.problems...)
	set := *base
	last := &set
	doubted := readDoubted(beside)
	for _, r := range []*rule.Risks{user, project.trusted, project.own, doubted} {
		if r == nil {
			continue
		}
		last.More = risk.NewSet(r)
		last.More.Project = r == project.own || r == doubted
		if r == user {
			seals := p.Seals()
			last.More.Sealed = func(e *rule.Allowed) bool { _, ok := seals(e); return ok }
		}
		last = last.More
	}
	if last == &set {
		return base, errors.Join(problems...)
	}
	return &set, errors.Join(problems...)
}

// Trusted maps the paths of approved files to their hashes. An approval that something else than moai has written is none.
func (p Places) Trusted() map[string]string {
	list := p.approvals()
	if a := config.ReadAnswered(p.State); a != nil {
		known := a.Known[p.trusted()]
		maps.DeleteFunc(list, func(file, hash string) bool { return known[file] != hash })
	}
	return list
}

// approvals are all that stand there, whoever has written them.
func (p Places) approvals() map[string]string {
	if p.Doubted {
		return nil
	}
	data, err := os.ReadFile(p.trusted())
	if err != nil {
		return nil
	}
	var list map[string]string
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// Approved reports that a rule file was approved with this very content.
func (p Places) Approved(file string, data []byte) bool {
	hash := p.Trusted()[file]
	return hash != "" && hash == hashOf(data)
}

// ErrNoHome says that the user has no folder for rules, exceptions and approvals. Joined to an empty
// name they would land in, and later be taken from, whatever project one stands in.
var ErrNoHome = errors.New("there is no home folder")

// ErrApproved says that an exception is none of the user's own files, so that it goes with the approval of its file.
var ErrApproved = errors.New("it cannot be taken back alone")

// Trust approves a rule file with this content, which its user has seen. A changed
// file has to be approved again.
func (p Places) Trust(file string, data []byte) (hash string, err error) {
	if p.Config == "" {
		return "", fmt.Errorf("%w to keep your approvals in", ErrNoHome)
	}
	if len(data) > projectBounds.file {
		return "", fmt.Errorf("%s is larger than %d bytes, so the guard would not read it", file, projectBounds.file)
	}
	hash = hashOf(data)
	if err := state.Update(p.trusted(), 0, func(list *map[string]string) bool {
		if *list == nil {
			*list = map[string]string{}
		}
		(*list)[file] = hash
		return true
	}); err != nil {
		return "", err
	}
	return hash, config.ChangeAnswered(p.State, p.Config, time.Time{}, func(a *config.Answered) { a.Answer(p.trusted(), file, hash, true) })
}

// Distrust takes the approval of a rule file back; known is false where there was none. The file
// need not be there any more.
func (p Places) Distrust(file string) (known bool, err error) {
	if _, known = p.Trusted()[file]; !known {
		return false, nil
	}
	return true, state.Update(p.trusted(), 0, func(list *map[string]string) bool {
		delete(*list, file)
		return true
	})
}

// Lapsed are the exceptions of project files that were approved and have changed since: none of them counts.
// It is for the moment of a question, which they might have answered before.
func (p Places) Lapsed() []rule.Allowed {
	files, _ := p.projectFiles()
	var hashes map[string]string
	var list []rule.Allowed
	for i, file := range files {
		if i == 0 {
			hashes = p.Trusted()
		}
		if hashes[file] == "" {
			continue
		}
		data, err := readBounded(file, projectBounds.file)
		if err != nil || hashes[file] == hashOf(data) {
			continue
		}
		if one, _ := rule.DecodeRisks(file, data, rule.ByUser); one != nil {
			list = append(list, one.Allows...)
		}
	}
	return list
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// tomlString quotes for TOML, whose basic strings escape as JSON's do.
func tomlString(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}
