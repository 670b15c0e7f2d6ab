package checkpoint

import "github.com/modu-ai/moai/internal/repo"

type vault struct{ skipped []Skip }

func openVault(*repo.Repo, string, []string) (*vault, error) { return &vault{}, nil }
func (v *vault) paths() []string                             { return nil }
func (v *vault) drop()                                       {}
func (v *vault) same(repo.Hash) bool                         { return true }
func (v *vault) keep(repo.Hash) error                        { return nil }
func (p *Plan) vault(*repo.Repo) error                       { return nil }
func (w *restorer) vault(*Plan) error                        { return nil }
