package work

import (
	"math"
	"sync"
	"testing"
)

// TestAccount: what does not fit ends the account, for everybody and for good.
func TestAccount(t *testing.T) {
	a := New(100)
	if !a.Take(60) || !a.Fits(40) || a.Fits(41) || a.Over() || a.Used() != 60 {
		t.Errorf("after 60 of 100: used %d, over %v", a.Used(), a.Over())
	}
	if a.Take(41) || !a.Over() || a.Take(1) || a.Fits(0) {
		t.Error("101 of 100 units were there")
	}
	var none *Account
	if !none.Take(math.MaxInt32) || none.Over() || !none.Fits(1) || none.Used() != 0 {
		t.Error("the nil account has an end")
	}
}

func TestAccountIsShared(t *testing.T) {
	a := New(1000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 125 {
				a.Take(1)
			}
		})
	}
	all.Wait()
	if a.Used() != 1000 || a.Over() || a.Take(1) {
		t.Errorf("used %d, over %v; want all 1000 and no more", a.Used(), a.Over())
	}
}

// A file may say that it is larger than any number can hold.
func TestPricesDoNotOverflow(t *testing.T) {
	for _, n := range []int{Hash(math.MaxInt64), Read(math.MaxInt64)} {
		if n <= 0 {
			t.Errorf("the largest file costs %d", n)
		}
	}
}
