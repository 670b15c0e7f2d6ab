package repo

import (
	"context"
	"os"
	"testing"
)

// benchRepo is the repository that MOAI_BENCH_REPO names, or the one that holds this file.
func benchRepo(b *testing.B) *Repo {
	dir := os.Getenv("MOAI_BENCH_REPO")
	if dir == "" {
		dir = "."
	}
	r, err := Open(dir)
	if err != nil {
		b.Skip("no repository here: ", err)
	}
	return r
}

func BenchmarkStatus(b *testing.B) {
	r := benchRepo(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Status(context.Background(), StatusOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	r := benchRepo(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Index(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHead is what every hook pays for the branch and the short commit.
func BenchmarkHead(b *testing.B) {
	dir := benchRepo(b).WorkTree
	b.ReportAllocs()
	for b.Loop() {
		r, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		h, err := r.Head()
		if err != nil {
			b.Fatal(err)
		}
		r.Short(h.Hash)
	}
}
