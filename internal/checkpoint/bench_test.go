package checkpoint

import (
	"context"
	"fmt"
	"testing"

	"github.com/modu-ai/moai/internal/repo"
)

// BenchmarkCreate is a checkpoint of 3,000 files in process: nothing changed, and ten files with new content each time.
func BenchmarkCreate(b *testing.B) {
	for _, dirty := range []int{0, 10} {
		b.Run(fmt.Sprintf("dirty=%d", dirty), func(b *testing.B) {
			s := newSandbox(b)
			for i := range 3000 {
				s.write(fmt.Sprintf("d%d/e%d/f%d", i%40, i%7, i), fmt.Sprintf("file %d\n", i))
			}
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "x")
			s.git("gc", "-q")
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				n++
				for i := range dirty {
					s.write(fmt.Sprintf("d%d/e%d/f%d", i%40, i%7, i), fmt.Sprintf("round %d\n", n))
				}
				b.StartTimer()
				r, err := repo.Open(s.dir)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Create(context.Background(), r, CreateOptions{Operation: "rm", NoLog: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPlan compares a checkpoint of 1,000 changed files with the working tree after a reset.
func BenchmarkPlan(b *testing.B) {
	s := newSandbox(b)
	for i := range 3000 {
		s.write(fmt.Sprintf("d%d/f%d", i%40, i), fmt.Sprintf("file %d\n", i))
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "x")
	for i := range 1000 {
		s.write(fmt.Sprintf("d%d/f%d", i%40, i), "changed\n")
	}
	c := s.create(CreateOptions{NoLog: true})
	s.git("reset", "-q", "--hard")
	b.ReportAllocs()
	for b.Loop() {
		p, err := MakePlan(context.Background(), s.open(), c, nil, RestoreOptions{})
		if err != nil || len(p.Write) != 1000 {
			b.Fatalf("%d files, %v", len(p.Write), err)
		}
	}
}
