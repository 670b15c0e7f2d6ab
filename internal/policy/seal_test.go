package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/risk"
	"github.com/modu-ai/moai/internal/rule"
)

func allowsIn(t *testing.T, p Places) []rule.Allowed {
	t.Helper()
	set, err := Load(risk.NewSet(builtin(t)), p)
	kit.Must(t, err)
	var list []rule.Allowed
	for ; set != nil; set = set.More {
		list = append(list, set.Allows...)
	}
	return list
}

// An exception is another one when anything in it is other: nothing of it may be written
// anew under the seal that it had.
func TestIdentityIsAllOfAnException(t *testing.T) {
	fields := reflect.TypeFor[rule.Allowed]()
	plain := Identity(&rule.Allowed{})
	for i := range fields.NumField() {
		var e rule.Allowed
		switch f := reflect.ValueOf(&e).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			if fields.Field(i).Name != "Line" {
				t.Errorf("%s is no part of an identity", fields.Field(i).Name)
			}
			continue // others may be written before it
		}
		if Identity(&e) == plain {
			t.Errorf("%s is no part of an identity", fields.Field(i).Name)
		}
	}
	if Identity(&rule.Allowed{Rule: "a", Path: "b"}) == Identity(&rule.Allowed{Rule: "ab"}) {
		t.Error("two exceptions have one identity")
	}
}

// Many processes may make and take back exceptions at once.
func TestExceptionsAtOnce(t *testing.T) {
	p := Places{Config: t.TempDir(), State: t.TempDir()}
	const n = 24
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			e := rule.Allowed{Rule: "git.merge", Reason: fmt.Sprintf("reason %d <한글> \xff", i), Given: time.Now().Format(time.RFC3339Nano), Once: i%2 == 0, Until: "2999-01-01"}
			if _, err := p.AppendAllowed(e); err != nil {
				t.Errorf("AppendAllowed: %v", err)
			}
		})
	}
	group.Wait()
	list := allowsIn(t, p)
	if len(list) != n {
		t.Fatalf("%d of %d exceptions are there", len(list), n)
	}
	seals := p.Seals()
	for i := range list {
		if s, ok := seals(&list[i]); !ok || s.By != ByAllow || time.Since(s.At) > time.Minute {
			t.Errorf("exception %q has the seal %+v, %v", list[i].Reason, s, ok)
		}
	}
	// Who read the list before another took the first one back takes nothing else back.
	kit.Must(t, p.RemoveAllowed(&list[0]))
	if err := p.RemoveAllowed(&list[0]); err == nil {
		t.Error("another exception was taken back, which stood at that line")
	}
	for i := range n - 1 { // each finds its place anew
		list := allowsIn(t, p)
		if err := p.RemoveAllowed(&list[len(list)-1]); err != nil {
			t.Fatalf("RemoveAllowed %d: %v", i, err)
		}
	}
	if list := allowsIn(t, p); len(list) != 0 {
		t.Errorf("%d exceptions are left", len(list))
	}
	if data, err := os.ReadFile(p.sealed()); err != nil || string(data) != "{}" {
		t.Errorf("seals of what is gone: %s, %v", data, err)
	}
}

// Where seals cannot be read nothing is sealed, and to take back always works.
func TestSealsFailSafe(t *testing.T) {
	p := Places{Config: t.TempDir(), State: t.TempDir()}
	if _, err := p.AppendAllowed(rule.Allowed{Rule: "git.merge", Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	e := allowsIn(t, p)[0]
	in := risk.Example("git merge x")
	judge := func(p Places) (risk.Action, *rule.Allowed) {
		set, err := Load(risk.NewSet(builtin(t)), p)
		kit.Must(t, err)
		v := set.Check(&in)
		return v.Action, v.Hits[0].Unsealed
	}
	if a, _ := judge(p); a != risk.Allow {
		t.Fatalf("with its seal: %s", a)
	}
	other := p
	other.State = t.TempDir()
	for name, change := range map[string]func(){
		"no state":      func() { p.State = "" },
		"another state": func() { p = other },
		"damaged": func() {
			kit.Must(t, os.WriteFile(p.sealed(), []byte(`{"x":`), 0o600))
		},
		"a pipe's place": func() {
			if err := os.Remove(p.sealed()); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			kit.Must(t, os.Mkdir(p.sealed(), 0o700))
		},
	} {
		saved := p
		change()
		if a, unsealed := judge(p); a != risk.Checkpoint || unsealed == nil {
			t.Errorf("%s: %s, unsealed %v; want a checkpoint and the exception that waits", name, a, unsealed)
		}
		p = saved
		kit.Must(t, os.RemoveAll(p.sealed()))
		kit.Must(t, p.Confirm([]rule.Allowed{e}, time.Now()))
	}
	p.State = ""
	if err := p.Confirm([]rule.Allowed{e}, time.Now()); err == nil {
		t.Error("something was sealed nowhere")
	}
	if _, err := p.AppendAllowed(rule.Allowed{Rule: "git.rebase", Reason: "x"}); err == nil {
		t.Error("an exception was made that can never count")
	}
	if err := p.RemoveAllowed(&e); err != nil {
		t.Errorf("RemoveAllowed without state: %v", err)
	}
	if data, err := os.ReadFile(filepath.Join(p.UserRules(), "allowed.toml")); err != nil || len(data) != 0 {
		t.Errorf("left: %q, %v", data, err)
	}
}
