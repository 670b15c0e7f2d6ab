package cli

import (
	"slices"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/settings"
)

// Bounds of what is looked at beside a project: a session's start waits for it.
const (
	maxOthers = 32 // work trees
	maxKnown  = 32 // folders that moai was registered in
)

// unguarded finds other folders of a project in which nothing calls moai: work trees, by what Git keeps of them, and clones of
// the same origin in which moai was registered once and is not any more. Of a clone that moai has never been in it knows
// nothing.
func (e *env) unguarded(root string) []string {
	client := e.clientDir()
	user := client != "" && settings.Calls(settings.User.Path(client, root))
	r, err := repo.Open(root)
	if err != nil {
		return nil
	}
	calls := func(dir string) bool {
		return !noHooksIn(dir) && (user || settings.Calls(settings.Local.Path("", dir)) || settings.Calls(settings.Shared.Path("", dir)))
	}
	var list []string
	main := r.Main()
	others := r.Others(maxOthers)
	covered := len(others) > 0 && main != "" && settings.Calls(settings.Local.Path("", main)) // the client reads it in all work trees
	for _, dir := range others {
		if !calls(dir) && (!covered || noHooksIn(dir)) {
			list = append(list, dir)
		}
	}
	origin := r.Config().String("remote.origin.url")
	if origin == "" {
		return list
	}
	for _, dir := range settings.Known(e.stateDir(), maxKnown) {
		if samePath(dir, root) || slices.ContainsFunc(others, func(other string) bool { return samePath(other, dir) }) || calls(dir) {
			continue
		}
		if clone, err := repo.Open(dir); err == nil && clone.Config().String("remote.origin.url") == origin {
			list = append(list, dir)
		}
	}
	return list
}

// noHooksIn reports whether the settings files in a folder switch all hooks off. Then moai does not run there, wherever it is registered.
func noHooksIn(dir string) bool {
	var files [2][]byte
	for i, scope := range [...]settings.Scope{settings.Shared, settings.Local} {
		if f, err := settings.Open(scope.Path("", dir), ""); err == nil {
			files[i] = f.Data
		}
	}
	_, _, off := settings.Off(files[:]...)
	return off
}
