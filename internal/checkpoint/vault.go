package checkpoint

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// The vault keeps ignored files (.env above all) that a command is about to destroy. They must not enter the repository, where a
// push could publish them, so they are copied to the user's own state directory, readable by the user alone:
//
//	<VaultDir>/<repository>/place
//	<VaultDir>/<repository>/<commit of the checkpoint>/vault.json and 0, 1, 2 …, small
const (
	vaultIndex = "vault.json"
	vaultTemp  = "tmp-" // of a copy that is still being made
)

// vaultFile is one line of vault.json.
type vaultFile struct {
	Path string      `json:"path"`
	Name string      `json:"name,omitempty"` // of the copy
	Mode fs.FileMode `json:"mode"`           // permission bits; of a folder also that it is one
	Link string      `json:"link,omitempty"` // target, for a symbolic link
	Sum  string      `json:"sha256,omitempty"`
	Size int64       `json:"size"`         // of a folder 0 where nothing is in it
	At   int64       `json:"at,omitempty"` // where it begins in a file that it shares with others

	// JSON has no text for bytes that are no UTF-8: of such a path or link they stand here as well.
	PathBytes []byte `json:"path_bytes,omitempty"`
	LinkBytes []byte `json:"link_bytes,omitempty"`
}

// written is the line as it is written: nothing of a name is lost.
func (f vaultFile) written() vaultFile {
	if !utf8.ValidString(f.Path) {
		f.PathBytes = []byte(f.Path)
	}
	if !utf8.ValidString(f.Link) {
		f.LinkBytes = []byte(f.Link)
	}
	return f
}

// read is the line as it was before that.
func (f vaultFile) read() vaultFile {
	if len(f.PathBytes) > 0 {
		f.Path = string(f.PathBytes)
	}
	if len(f.LinkBytes) > 0 {
		f.Link = string(f.LinkBytes)
	}
	f.PathBytes, f.LinkBytes = nil, nil
	return f
}

// vault is the copy of one checkpoint, under a temporary name until keep.
type vault struct {
	home  string // folder of the repository
	tmp   string
	files []vaultFile

	settings []repo.Setting
	sections []string // of settings: what was there before a restore, also if nothing was
	total    int64    // bytes in them
	folders  int      // among the files
	looked   map[string]bool
	skipped  []Skip
	over     []Skip // left out for their number or size, as they came
	unsaved  []*os.File
	fault    error // a copy is not on disk

	shared map[string]sharedCopy // those of other snapshots, by their paths
	joined map[string]string     // the names of the files of these that some are in
	small  *os.File              // with the small files; nil for none
	end    int64                 // of what is in it
}

// Limits of one vault. An ignored folder that is bigger is a build product or a package cache, which can be made again.
const (
	// VaultFiles is how many files one vault takes.
	VaultFiles = 1000
	vaultBytes = 64 << 20
	vaultFileB = 10 << 20
	// vaultWait is how many copies wait for the disk together: its journal is then written once for all of them, which is a
	// fortieth of what each alone would take.
	vaultWait = 64
	// maxVaultIndex has room for the longest paths, VaultFiles times.
	maxVaultIndex = 32 << 20
)

// vaultHome is the folder of a repository: linked work trees have ignored files of their own.
func vaultHome(r *repo.Repo, dir string) string {
	return filepath.Join(dir, homeName(r.WorkTree))
}

// homeName is the name of that folder.
func homeName(place string) string {
	// The name is for people, the hash for two folders of the same name.
	sum := sha256.Sum256([]byte(place))
	return filepath.Base(place) + "-" + hex.EncodeToString(sum[:6])
}

// openVault copies the ignored paths, files or directories, of the work tree; of one with a slash at its end the folder alone. Without any
// it does nothing. What the vaults of shared have as it is now is not copied again.
func openVault(r *repo.Repo, dir string, ignored []string, shared ...repo.Hash) (*vault, error) {
	v := &vault{looked: map[string]bool{}}
	if dir == "" || len(ignored) == 0 {
		return v, nil
	}
	v.home = vaultHome(r, dir)
	if err := os.MkdirAll(v.home, 0o700); err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	var err error
	// The checkpoint's name is its commit, which does not exist yet.
	if v.tmp, err = os.MkdirTemp(v.home, vaultTemp); err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	// A folder that is ignored may be a link to anywhere; through a root none leads out.
	root, err := os.OpenRoot(r.WorkTree)
	if err != nil {
		v.drop()
		return nil, fmt.Errorf("open vault: %w", err)
	}
	defer root.Close()
	v.share(shared)
	v.fill(root, ignored)
	// What comes last is the biggest, and is what a message should name.
	slices.Reverse(v.over)
	v.skipped = append(v.skipped, v.over...)
	v.joins()
	v.fault = cmp.Or(v.fault, v.settleSmall())
	if v.settle(); v.fault != nil {
		v.drop()
		return nil, fmt.Errorf("fill vault: %w", v.fault)
	}
	// Nothing was there, or all of it was too much: an empty folder would be a vault of nothing.
	if len(v.files) == 0 {
		v.drop()
	}
	return v, nil
}

// fill takes in the files of those names that are there, with the folders above them.
func (v *vault) fill(root *os.Root, ignored []string) {
	// A line may name hundreds of files in one folder that is not there.
	missing := map[string]bool{}
	for _, p := range ignored {
		p, alone := strings.CutSuffix(p, "/")
		p = filepath.ToSlash(filepath.Clean(filepath.FromSlash(p)))
		dir := path.Dir(p)
		gone, asked := missing[dir]
		if !asked && vaultable(p) && dir != "." {
			_, err := root.Lstat(dir)
			gone = disk.Absent(err)
			missing[dir] = gone
		}
		if gone {
			continue
		}
		if !vaultable(p) {
			v.skipped = append(v.skipped, Skip{Path: p, Why: "its name is not safe"})
			continue
		}
		before := len(v.files)
		if alone {
			v.folder(root, p)
		} else {
			v.take(root, p)
		}
		if len(v.files) > before {
			for _, d := range parents(p) {
				v.folder(root, d)
			}
		}
	}
}

// folder notes the mode of a folder, and whether something is in it.
func (v *vault) folder(root *os.Root, d string) {
	if v.looked[d] || !safePath(d) {
		return
	}
	v.looked[d] = true
	fi, err := root.Lstat(d)
	if err != nil || !fi.IsDir() {
		return
	}
	if v.folders == VaultFiles {
		v.skipped = append(v.skipped, Skip{Path: d, Why: fmt.Sprintf("a folder's mode, as others: over the vault's limit of %d folders", VaultFiles), safe: true})
	}
	if v.folders++; v.folders > VaultFiles {
		return
	}
	f := vaultFile{Path: d, Mode: fs.ModeDir | fi.Mode()&folderModes}
	if list, err := fs.ReadDir(anyNames{root}, d); err != nil || len(list) > 0 {
		f.Size = 1
	}
	v.files = append(v.files, f)
}

// take copies one path, a file or a folder. A folder that is too big as a whole is left out as a whole: half a package cache helps
// nobody.
func (v *vault) take(root *os.Root, p string) {
	mark, before, bytes, folders, folder, end := len(v.files), len(v.skipped), v.total, v.folders, false, v.end
	each := func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if !disk.Absent(err) {
				v.skipped = append(v.skipped, Skip{Path: name, Why: why(err)})
			}
			return nil
		}
		if d.IsDir() {
			folder = true
			// An ignored clone has a history of its own; a copy of its objects would fill the vault.
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			v.folder(root, name)
			return nil
		}
		if v.looked[name] {
			return nil
		}
		if !vaultable(name) { // such as the .git of a linked work tree, which `git worktree repair` writes
			if d.Name() != ".git" {
				v.skipped = append(v.skipped, Skip{Path: name, Why: "its name is not safe"})
			}
			return nil
		}
		err = v.add(root, name)
		if errors.Is(err, errVaultFull) {
			return err
		}
		if err != nil {
			v.skipped = append(v.skipped, Skip{Path: name, Why: why(err)})
		}
		return nil
	}
	var err error
	// A walk would begin where a link leads to, which is not what goes.
	if fi, bad := root.Lstat(p); bad == nil && fi.Mode()&fs.ModeSymlink != 0 {
		err = each(p, fs.FileInfoToDirEntry(fi), nil)
	} else if err = v.room(root, p); err == nil {
		err = fs.WalkDir(anyNames{root}, p, each)
	} else {
		folder = true
	}
	if errors.Is(err, errVaultFull) {
		for i, f := range v.files[mark:] {
			_ = os.Remove(filepath.Join(v.tmp, strconv.Itoa(mark+i)))
			delete(v.looked, f.Path)
		}
		// As if the folder had not been begun: others that come after it may still fit.
		v.files, v.skipped, v.total, v.folders, v.end = v.files[:mark], v.skipped[:before], bytes, folders, end
		if folder {
			p += "/"
		}
		v.over = append(v.over, Skip{Path: p, Why: err.Error()})
	}
}

// room tells of a folder that it is too much, before anything of it is copied: what would be thrown away again costs a second.
func (v *vault) room(root *os.Root, p string) error {
	if fi, err := root.Lstat(p); err != nil || !fi.IsDir() {
		return nil
	}
	files, bytes := len(v.files)-min(v.folders, VaultFiles), v.total
	return fs.WalkDir(anyNames{root}, p, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || v.looked[name] && !d.IsDir():
			return nil
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() || !safePath(name) || !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0:
			return nil
		}
		if fi, err := d.Info(); err == nil && d.Type().IsRegular() {
			if fi.Size() > vaultFileB { // left out by itself
				return nil
			}
			bytes += fi.Size()
		}
		if files++; files > VaultFiles {
			return errVaultFiles()
		}
		if bytes > vaultBytes {
			return errVaultBytes()
		}
		return nil
	})
}

var errVaultFull = errors.New("ignored by git, and over the vault's limit")

// These are functions, since what is made before main is made in every hook call.
func errVaultFiles() error { return fmt.Errorf("%w of %d files", errVaultFull, VaultFiles) }
func errVaultBytes() error { return fmt.Errorf("%w of %s", errVaultFull, Size(vaultBytes)) }

// add copies one file or link.
func (v *vault) add(root *os.Root, name string) error {
	fi, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if len(v.files)-min(v.folders, VaultFiles) >= VaultFiles {
		return errVaultFiles()
	}
	f := vaultFile{Path: name, Mode: fi.Mode().Perm(), Size: fi.Size()}
	switch {
	case fi.Mode()&fs.ModeSymlink != 0:
		if f.Link, err = root.Readlink(name); err != nil {
			return err
		}
		v.files, v.looked[name] = append(v.files, f), true
		return nil
	case !fi.Mode().IsRegular():
		return errors.New("not a regular file")
	case fi.Size() > vaultFileB:
		return fmt.Errorf("%s, over the vault's limit of %s", Size(fi.Size()), Size(vaultFileB))
	case v.total+fi.Size() > vaultBytes:
		return errVaultBytes()
	}
	in, _, err := disk.OpenRegular(root.OpenFile, name, disk.NoFollow)
	if err != nil {
		return err
	}
	defer in.Close()
	f.Name = strconv.Itoa(len(v.files))
	if v.takesShared(&f, in) {
		v.files, v.looked[name] = append(v.files, f), true
		v.total += f.Size
		return nil
	}
	if small, err := v.addSmall(&f, in); small || err != nil {
		if err == nil {
			v.files, v.looked[name] = append(v.files, f), true
			v.total += f.Size
		}
		return err
	}
	out, err := os.OpenFile(filepath.Join(v.tmp, f.Name), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	v.unsaved = append(v.unsaved, out)
	sum := sha256.New()
	// The file may have grown since its size was asked for; a part of it would come back as if it were the whole.
	f.Size, err = io.Copy(io.MultiWriter(out, sum), io.LimitReader(in, vaultFileB+1))
	if err == nil && f.Size > vaultFileB {
		err = fmt.Errorf("over the vault's limit of %s", Size(vaultFileB))
	}
	if err != nil {
		_ = os.Remove(out.Name())
		return err
	}
	f.Sum = hex.EncodeToString(sum.Sum(nil))
	v.files, v.looked[name] = append(v.files, f), true
	v.total += f.Size
	if len(v.unsaved) >= vaultWait {
		v.settle()
	}
	return nil
}

// settle waits until the copies are on disk.
func (v *vault) settle() {
	errs := make([]error, len(v.unsaved))
	var wait sync.WaitGroup
	for i, f := range v.unsaved {
		wait.Go(func() { errs[i] = errors.Join(f.Sync(), f.Close()) })
	}
	wait.Wait()
	v.unsaved = nil
	v.fault = cmp.Or(v.fault, cmp.Or(errs...))
}

func (v *vault) paths() []string {
	var out []string
	for _, f := range v.files {
		if !f.Mode.IsDir() || f.Size == 0 {
			out = append(out, f.Path)
		}
	}
	return out
}

// mark is a name for the copy, which says nothing of what is in it. It becomes part of the checkpoint, so that checkpoints with other
// copies are other commits.
func (v *vault) mark() string {
	if v.tmp == "" {
		return ""
	}
	return strings.TrimPrefix(filepath.Base(v.tmp), vaultTemp)
}

// drop removes a copy that was not kept.
func (v *vault) drop() {
	for _, f := range v.unsaved {
		f.Close()
	}
	v.unsaved = nil
	if v.small != nil {
		v.small.Close()
		v.small = nil
	}
	if v.tmp != "" {
		os.RemoveAll(v.tmp)
		v.tmp = ""
	}
}

// keep gives the copy the name of its checkpoint.
func (v *vault) keep(commit repo.Hash) error {
	if v.tmp == "" || v.empty() {
		return nil
	}
	if err := v.writeSettings(); err != nil {
		return fmt.Errorf("fill vault: %w", err)
	}
	lines := make([]vaultFile, len(v.files))
	for i, f := range v.files {
		lines[i] = f.written()
	}
	b, err := json.MarshalIndent(lines, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(v.tmp, vaultIndex), append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("fill vault: %w", err)
	}
	to := filepath.Join(v.home, commit.String())
	if err := os.Rename(v.tmp, to); err != nil {
		return fmt.Errorf("fill vault: %w", err)
	}
	v.tmp = ""
	return nil
}

// forget removes a copy that was kept for a checkpoint which has not come about: nothing would ever name it.
func (v *vault) forget(commit repo.Hash) {
	if !v.empty() {
		_ = os.RemoveAll(filepath.Join(v.home, commit.String()))
	}
}

// same says whether the vault of an older checkpoint holds all that this one holds.
func (v *vault) same(commit repo.Hash) bool {
	if v.empty() {
		return true
	}
	if had, err := readSettings(filepath.Join(v.home, commit.String())); err != nil || len(v.settings) > 0 && !sameSettings(v.settings, had.Settings) || len(v.sections) > 0 && !slices.Equal(v.sections, had.Sections) {
		return false
	}
	old, err := readVault(filepath.Join(v.home, commit.String()))
	if err != nil {
		return false
	}
	were := byPath(old)
	for _, f := range v.files {
		o, known := were[f.Path]
		// Its permissions count: a key that was made readable for others comes back private, or the other way round.
		if !known || o.Sum != f.Sum || o.Link != f.Link || o.Mode != f.Mode || o.Size != f.Size {
			return false
		}
	}
	return true
}

// byPath are the first of some copies with each path.
func byPath(files []vaultFile) map[string]*vaultFile {
	out := make(map[string]*vaultFile, len(files))
	for i := range files {
		if out[files[i].Path] == nil {
			out[files[i].Path] = &files[i]
		}
	}
	return out
}

func readVault(dir string) ([]vaultFile, error) {
	b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(dir, vaultIndex), disk.NoFollow, maxVaultIndex)
	if err != nil {
		return nil, err
	}
	var files []vaultFile
	if err := json.Unmarshal(b, &files); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, vaultIndex), err)
	}
	for i, f := range files {
		f = f.read()
		files[i] = f
		// The folder is the user's own, and yet a restore writes where this file says.
		if !vaultable(f.Path) || strings.ContainsAny(f.Name, `/\.`) {
			return nil, fmt.Errorf("%s: bad entry", filepath.Join(dir, vaultIndex))
		}
	}
	return files, nil
}
