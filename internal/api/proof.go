package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
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

// nonce is a time that this server has signed: nothing need be kept of it.
func (s *Server) nonce(at time.Time) string {
	text := strconv.FormatInt(at.Unix(), 10)
	return text + "-" + sign(s.pass, "nonce "+text)
}

func (s *Server) challenge(*http.Request) (any, error) { return Challenge{s.nonce(time.Now())}, nil }

func (s *Server) prove(r *http.Request) (any, error) {
	var p Proof
	if err := body(r, &p); err != nil {
		return nil, err
	}
	text, _, _ := strings.Cut(p.Nonce, "-")
	seconds, err := strconv.ParseInt(text, 10, 64)
	at := time.Unix(seconds, 0)
	if err != nil || time.Since(at).Abs() > proofFor || !same(p.Nonce, s.nonce(at)) || !same(p.Proof, sign(s.pageKey(), "moai "+strconv.Itoa(s.Port)+" "+p.Nonce)) {
		return nil, &answerError{http.StatusUnauthorized, "open the address that moai serve printed"}
	}
	return Proved{s.pass}, nil
}
