package targets

import (
	"encoding/json"
	"time"

	"vyretop/megakernel/safe"
)

// Schema names the document of targets.
const Schema = "vyretop.fleet/1"

// Document is what is printed of targets.
type Document struct {
	Schema  string  `json:"schema"`
	Total   Group   `json:"total"`
	Groups  []Group `json:"groups,omitempty"`
	Targets []*Row  `json:"targets"`
	Invalid uint64  `json:"invalid_messages"` // that could not be read, of all targets
}

// NewDocument describes targets, and their groups by a column; "" groups none.
func NewDocument(list []*Target, by string, invalid uint64, now time.Time) Document {
	d := Document{Schema: Schema, Total: Total(list), Groups: Groups(list, by, now), Targets: []*Row{}, Invalid: invalid}
	for _, t := range list {
		d.Targets = append(d.Targets, &Row{Target: t, Now: now})
	}
	return d
}

// Answer is what one target made of a command.
type Answer struct {
	Title string
	Text  string
	Err   error
}

// String is the answer as a line, whatever the target put into it.
func (a Answer) String() string {
	if a.Err != nil {
		return a.Title + ": " + safe.Text(a.Err.Error())
	}
	return a.Title + ": " + safe.Text(a.Text)
}

// MarshalJSON implements json.Marshaler.
func (a Answer) MarshalJSON() ([]byte, error) {
	d := struct {
		Name  string `json:"name"`
		Text  string `json:"text,omitempty"`
		Error string `json:"error,omitempty"`
	}{Name: a.Title, Text: a.Text}
	if a.Err != nil {
		d.Error = a.Err.Error()
	}
	return json.Marshal(d)
}

// Reachable are the runs of targets that can be asked for something: they have neither ended, nor are they lost.
func Reachable(list []*Target) (out []*Target) {
	for _, t := range list {
		if !t.Lost && !t.Ended {
			out = append(out, t)
		}
	}
	return Runs(out)
}
