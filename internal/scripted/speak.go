package scripted

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// answers are the words of each interface. INTERFACE.json is an answer in one piece, and INTERFACE.txt in a stream: a line for each event, its name first. @ITEM in them is
// INTERFACE-KIND.json. The others are of the step: @TOOL, @TEXT and @PATCH as texts of JSON, @ARGS as an object, @QUOTED as a text that holds that object.
//
//go:embed answers
var answers embed.FS

// The interfaces, by the names of their files.
const (
	responses = "responses"
	chat      = "chat"
	gemini    = "gemini"
)

// said is a file of answers.
func said(name string) string {
	data, err := answers.ReadFile("answers/" + name)
	if err != nil {
		return "" // each that is asked for is there: a test reads them
	}
	return strings.TrimSpace(string(data))
}

// kind is the last part of the name of the file with a step's item, and why the model ends with it.
func (s *Step) kind() (kind, ends string) {
	switch {
	case s.Patch != "":
		return "patch", "tool_calls"
	case s.Tool != "":
		return "call", "tool_calls"
	}
	return "text", "stop"
}

// fill puts a step into the words of an interface.
func (s *Step) fill(by, words, id string) string {
	kind, ends := s.kind()
	args := quoted(s.Args)
	return strings.NewReplacer("@ID", id, "@TOOL", quoted(s.Tool), "@TEXT", quoted(s.Text), "@PATCH", quoted(s.Patch), "@ARGS", args, "@QUOTED", quoted(args)).Replace(
		strings.NewReplacer("@ITEM", said(by+"-"+kind+".json"), "@ENDS", ends).Replace(words))
}

// speak answers a request for the next step.
func (s *Step) speak(w http.ResponseWriter, by, id string, stream bool) {
	if !stream {
		whole(w, s.fill(by, said(by+".json"), id))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for line := range strings.Lines(said(by + ".txt")) {
		name, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != "data" {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		fmt.Fprintf(w, "data: %s\r\n\r\n", s.fill(by, words, id))
	}
}

func whole(w http.ResponseWriter, words string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, words)
}

// quoted is a value as JSON has it.
func quoted(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "null" // texts and plain values always encode
	}
	return string(data)
}
