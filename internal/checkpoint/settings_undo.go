package checkpoint

import (
	"slices"

	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
)

// SettingsThen are the settings that a checkpoint has, as far as they may come back.
func (c *Checkpoint) SettingsThen(r *repo.Repo, vaultDir string, table []rule.Settings) []repo.Setting {
	dir := vaultOf(r, vaultDir, c)
	if dir == "" {
		return nil
	}
	kept, err := readSettings(dir)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(kept.Settings, func(s repo.Setting) bool { return !restorable(table, &s) })
}

// SettingsNow are those that the repository has now; none where its file cannot be read.
func SettingsNow(r *repo.Repo, table []rule.Settings, section string) []repo.Setting {
	all, err := r.Settings()
	if err != nil {
		return nil
	}
	return inSection(all, table, section)
}

// SetSettings makes the settings of sections those of want, as far as they may come back, and leaves all others alone.
func SetSettings(r *repo.Repo, table []rule.Settings, sections []string, want []repo.Setting) error {
	return r.SetSettings(sections, want, func(s *repo.Setting) bool { return restorable(table, s) })
}

// inSection are those of a section that may come back.
func inSection(all []repo.Setting, table []rule.Settings, section string) (out []repo.Setting) {
	for i := range all {
		if s := &all[i]; s.Of() == section && restorable(table, s) {
			out = append(out, *s)
		}
	}
	return out
}
