// Package page is what moai serve shows in a browser: files as they are, without a build step, that ask package api.
//
// It makes elements and texts (files/dom.js) and never markup; the policy forbids inline scripts and styles, and
// trusted types all ways around that. One shared worker holds the one stream of all tabs.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed files
var files embed.FS

// Handler serves the page. Each view has the address of the page itself, and a part behind #.
func Handler() http.Handler {
	inside, err := fs.Sub(files, "files")
	if err != nil {
		panic(err) // the name is a constant
	}
	serve := http.FileServerFS(inside)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := path.Clean(r.URL.Path); name != "/" && !known(inside, name) {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".js") { // whatever the system says of it
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		}
		serve.ServeHTTP(w, r)
	})
}

func known(all fs.FS, name string) bool {
	info, err := fs.Stat(all, strings.TrimPrefix(name, "/"))
	return err == nil && !info.IsDir()
}
