package lang

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
)

// cache keeps one answer for a folder. It holds as long as nothing that the
// answer was read from has another time or size: the index, the folder's own
// listing, every manifest, and the rules themselves.
type cache struct {
	file, dir, stamp string
	projects         bool // only an answer with projects will do
}

// cached is the file's content.
type cached struct {
	Stamp  string  `json:"stamp"`
	Dir    string  `json:"dir"`
	Inputs []input `json:"inputs"`
	// Projects says that the report was made with Options.Projects.
	Projects bool    `json:"projects"`
	Report   *Report `json:"report"`
}

// maxCache bounds the file that is read back.
const maxCache = 4 << 20

func newCache(t *Table, dir string, o Options) *cache {
	if o.Cache == "" || o.Each != nil {
		return nil
	}
	sum := sha256.Sum256([]byte(dir))
	return &cache{file: filepath.Join(o.Cache, "lang-"+hex.EncodeToString(sum[:12])+".json"), dir: dir, stamp: t.Stamp, projects: o.Projects}
}

// load returns the answer if it still holds, nil otherwise.
func (c *cache) load() *Report {
	if c == nil {
		return nil
	}
	fi, err := os.Stat(c.file)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxCache {
		return nil
	}
	data, err := os.ReadFile(c.file)
	if err != nil {
		return nil
	}
	var kept cached
	if json.Unmarshal(data, &kept) != nil || kept.Stamp != c.stamp || kept.Dir != c.dir || kept.Report == nil || c.projects && !kept.Projects {
		return nil
	}
	for _, in := range kept.Inputs {
		if !in.same(c.dir) {
			return nil
		}
	}
	kept.Report.Scan.Cached = true
	return kept.Report
}

// same says whether the file is as it was.
func (in *input) same(dir string) bool {
	path := in.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, filepath.FromSlash(path))
	}
	fi, err := os.Stat(path)
	if err != nil {
		return in.Time == 0
	}
	return in.Time != 0 && fi.ModTime().UnixNano() == in.Time && (fi.IsDir() || fi.Size() == in.Size)
}

// store keeps an answer. Failing to is no failure: the next run asks again.
func (c *cache) store(r *Report, inputs []input) {
	if c == nil {
		return
	}
	data, err := json.Marshal(cached{c.stamp, c.dir, inputs, c.projects, r})
	if err != nil || len(data) > maxCache || os.MkdirAll(filepath.Dir(c.file), 0o700) != nil {
		return
	}
	_ = maybe.WriteFile(c.file, data, 0o600)
}
