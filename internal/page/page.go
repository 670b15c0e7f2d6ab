// Package page is what moai serve shows in a browser: files as they are, without a build step, that ask package api.
//
// It makes elements and texts (files/dom.js) and never markup; the policy forbids inline scripts and styles, and
// trusted types all ways around that. One shared worker holds the one stream of all tabs.
package page

import (
	"embed"
	"io"
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
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, nowhere)
			return
		}
		if strings.HasSuffix(r.URL.Path, ".js") { // whatever the system says of it
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		}
		serve.ServeHTTP(w, r)
	})
}

// nowhere is what a person sees at an address that leads to nothing.
const nowhere = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>moai</title></head>
<body><main><h1>moai</h1>
<p>There is nothing at this address. <a href="/">To the page</a></p>
<p lang="ko">이 주소에는 아무것도 없습니다. <a href="/">페이지로</a></p>
</main></body></html>
`

func known(all fs.FS, name string) bool {
	info, err := fs.Stat(all, strings.TrimPrefix(name, "/"))
	return err == nil && !info.IsDir()
}
