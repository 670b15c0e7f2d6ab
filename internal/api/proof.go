package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// proofPath is where a page proves that it has the key, without saying it.
const proofPath = "/api/proof"

// proofFor is how long a page may take for it.
const proofFor = time.Minute

// Challenge is what a page has to answer with its key.
type Challenge struct {
	Nonce string `json:"nonce"`
}

// Proof is the answer: the HMAC-SHA256 with the page's key of "moai PORT NONCE", in hexadecimal.
type Proof struct {
	Nonce string `json:"nonce"`
	Proof string `json:"proof"`
}

// Proved is what the page says with each request from then on, as long as this server runs.
type Proved struct {
	Key string `json:"key"`
}

// pageKey is what the page of this port keeps.
func (s *Server) pageKey() string { return s.derive("key of " + strconv.Itoa(s.Port)) }

// sign is an HMAC in hexadecimal.
func sign(key, text string) string {
	h := hmac.New(sha256.New, []byte(key))
	_, _ = h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// nonce is a time that this server has signed: nothing need be kept of it before it is answered.
func (s *Server) nonce(at time.Time) string {
	text := strconv.FormatInt(at.UnixNano(), 10)
	return text + "-" + sign(s.pass, "nonce "+text)
}

// spent are the nonces that were answered rightly and have not run out: who saw the answer cannot give it once more.
type spent struct {
	mu   sync.Mutex
	list map[string]time.Time
}

// take reports the first answer to a nonce.
func (s *spent) take(nonce string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.list, func(_ string, at time.Time) bool { return now.Sub(at) > 2*proofFor }) // a clock may be ahead
	if _, again := s.list[nonce]; again {
		return false
	}
	if s.list == nil {
		s.list = map[string]time.Time{}
	}
	s.list[nonce] = now
	return true
}

func (s *Server) challenge(*http.Request) (any, error) { return Challenge{s.nonce(time.Now())}, nil }

func (s *Server) prove(r *http.Request) (any, error) {
	var p Proof
	if err := body(r, &p); err != nil {
		return nil, err
	}
	text, _, _ := strings.Cut(p.Nonce, "-")
	nanos, err := strconv.ParseInt(text, 10, 64)
	at := time.Unix(0, nanos)
	if err != nil || time.Since(at).Abs() > proofFor || !same(p.Nonce, s.nonce(at)) || !same(p.Proof, sign(s.pageKey(), "moai "+strconv.Itoa(s.Port)+" "+p.Nonce)) || !s.spent.take(p.Nonce, time.Now()) {
		return nil, &answerError{http.StatusUnauthorized, "open the address that moai serve printed"}
	}
	return Proved{s.pass}, nil
}
