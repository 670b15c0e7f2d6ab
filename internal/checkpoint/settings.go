package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/rule"
)

// Settings of Git's that a command takes along, such as where a branch is pushed to, are kept beside ignored files in the vault: an
// address can hold a password, and a commit that came from somebody else must not say what is written into a file that names programs.
const (
	settingsFile    = "settings.json"
	maxSettings     = 4000
	maxSettingsFile = 2 << 20
)

// sectionOf is the table's row about a section; nil where there is none.
func sectionOf(table []rule.Settings, section string) *rule.Settings {
	i := slices.IndexFunc(table, func(s rule.Settings) bool { return s.Section == section })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// restorable says whether a restore may set a variable: one that the table names, with a value that starts no program.
func restorable(table []rule.Settings, s *repo.Setting) bool {
	kind := sectionOf(table, s.Section)
	return kind != nil && slices.Contains(kind.Keys, s.Key) && s.Name != "" && !strings.ContainsAny(s.Name, "\n\x00") && !strings.Contains(s.Value, "\x00") && !startsHelper(s.Value)
}

// startsHelper tells an address that git hands to a program: "ext::sh -c …", for which it starts git-remote-ext, and what begins
// like an option.
func startsHelper(value string) bool {
	name, _, found := strings.Cut(value, "::")
	if found && name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("+-._", c))
	}) {
		return true
	}
	return strings.HasPrefix(value, "-")
}

// settings lists what the sections hold that may come back, and names the variables that may not.
func settings(r *repo.Repo, table []rule.Settings, sections []string) (kept []repo.Setting, left []string, err error) {
	all, err := r.Settings()
	if err != nil {
		return nil, nil, err
	}
	for i := range all {
		s := &all[i]
		switch {
		case !slices.Contains(sections, s.Section):
		case !restorable(table, s):
			left = append(left, s.Of()+"."+s.Key)
		case len(kept) == maxSettings:
			return nil, nil, fmt.Errorf("more than %d settings", maxSettings)
		default:
			kept = append(kept, *s)
		}
	}
	return kept, left, nil
}

// keepSettings puts them into the vault of the checkpoint. Without a vault, and where the file cannot be read, they are named.
func (s *snapshot) keepSettings(c *Checkpoint, v *vault) {
	o := s.opts
	if len(o.Sections) == 0 {
		return
	}
	kept, left, err := settings(s.r, o.Settings, o.Sections)
	switch {
	case err == nil && len(kept)+len(o.sections) > 0:
		err = v.open(s.r, o.VaultDir)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		c.SettingsLeft = []string{"settings of " + strings.Join(o.Sections, " and ") + " sections (" + err.Error() + ")"}
		return
	}
	v.settings, v.sections, c.SettingsLeft = kept, o.sections, left
	for i := range kept {
		if of := kept[i].Of(); !slices.Contains(c.Settings, of) {
			c.Settings = append(c.Settings, of)
		}
	}
}

var errNoVault = errors.New("there is no folder for moai's state")

// open makes the folder of a vault that no file has needed yet.
func (v *vault) open(r *repo.Repo, dir string) error {
	if v.tmp != "" {
		return nil
	}
	if dir == "" {
		return errNoVault
	}
	v.home = vaultHome(r, dir)
	if err := os.MkdirAll(v.home, 0o700); err != nil {
		return fmt.Errorf("open vault: %w", err)
	}
	var err error
	if v.tmp, err = os.MkdirTemp(v.home, vaultTemp); err != nil {
		return fmt.Errorf("open vault: %w", err)
	}
	return nil
}

func (v *vault) empty() bool { return len(v.files)+len(v.settings)+len(v.sections) == 0 }

// writeSettings writes them down, and waits for the disk.
func (v *vault) writeSettings() error {
	if len(v.settings)+len(v.sections) == 0 {
		return nil
	}
	b, err := json.Marshal(keptSettings{v.settings, v.sections})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(v.tmp, settingsFile), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Sync(), f.Close())
}

// keptSettings is what the file in a vault holds.
type keptSettings struct {
	Settings []repo.Setting `json:"settings"`
	// Sections are those that a restore sets as they are here, also where nothing of them is: what it made of them goes again when it is
	// taken back.
	Sections []string `json:"sections,omitempty"`
}

// readSettings reads what a vault holds of settings; none where it has none.
func readSettings(dir string) (kept keptSettings, err error) {
	b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(dir, settingsFile), disk.NoFollow, maxSettingsFile)
	if disk.Absent(err) {
		return kept, nil
	}
	if err != nil {
		return kept, err
	}
	if err := json.Unmarshal(b, &kept); err != nil {
		return kept, fmt.Errorf("%s: %w", filepath.Join(dir, settingsFile), err)
	}
	return kept, nil
}

// settingsMove is what a restore sets: sections, and what they hold then.
type settingsMove struct {
	sections []string
	want     []repo.Setting
}

// settings plans which sections of Git's settings the restore sets: those that the checkpoint has and that differ from it now. It leaves all other
// sections alone, also those that came after the checkpoint.
func (p *Plan) settings(r *repo.Repo) error {
	o := &p.Options
	dir := vaultOf(r, o.VaultDir, p.Checkpoint)
	if dir == "" || len(p.Paths) > 0 {
		return nil
	}
	had, err := readSettings(dir)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(had.Settings, func(s repo.Setting) bool { return !restorable(o.Settings, &s) }) // whatever lies in the folder
	sections := had.Sections
	for i := range kept {
		sections = append(sections, kept[i].Of())
	}
	if len(sections) == 0 {
		return nil
	}
	now, err := r.Settings()
	if err != nil {
		p.Blocked = append(p.Blocked, Skip{Path: ".git/config", Why: why(err)})
		return nil
	}
	for _, section := range sections {
		if slices.Contains(p.Settings, section) {
			continue
		}
		want, is := inSection(kept, o.Settings, section), inSection(now, o.Settings, section)
		if o.Missing && !slices.Contains(had.Sections, section) { // what a restore has set goes back as it was
			want = p.gone(r, section, want, is)
		}
		if !sameSettings(want, is) {
			p.Settings = append(p.Settings, section)
			p.set.want = append(p.set.want, want...)
		}
	}
	p.set.sections = p.Settings
	return nil
}

// gone is what a section is to hold where only variables come back that it does not have now, to those that it has. That of a branch which is
// not there, and does not come back, stays as it is.
func (p *Plan) gone(r *repo.Repo, section string, then, now []repo.Setting) []repo.Setting {
	if branch, ok := strings.CutPrefix(section, "branch."); ok {
		ref := "refs/heads/" + branch
		comes := slices.ContainsFunc(p.Refs, func(m RefMove) bool { return m.Ref == ref })
		if _, err := r.Resolve(ref); err != nil && !comes {
			return now
		}
	}
	want := slices.Clone(now)
	for _, s := range then {
		if !slices.ContainsFunc(now, func(n repo.Setting) bool { return n.Key == s.Key }) {
			want = append(want, s)
		}
	}
	return want
}

// sameSettings compares two lists, whatever their order.
func sameSettings(a, b []repo.Setting) bool {
	rest := slices.Clone(b)
	for _, s := range a {
		i := slices.Index(rest, s)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return len(rest) == 0
}

// settings writes them.
func (w *restorer) settings(p *Plan) error {
	if len(p.set.sections) == 0 {
		return nil
	}
	err := w.r.SetSettings(p.set.sections, p.set.want, func(s *repo.Setting) bool { return restorable(p.Options.Settings, s) })
	if err == nil {
		w.res.Settings = p.Settings
	}
	return err
}

// kinds are the sections of which the safety checkpoint keeps all.
func (p *Plan) kinds() (out []string) {
	for _, of := range p.set.sections {
		if s, _, _ := strings.Cut(of, "."); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
