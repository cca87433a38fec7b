package inspect

import (
	"encoding/json"
	"fmt"
	"time"
)

// event is an event of the format.
type event struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	Time     micros         `json:"ts"`
	Duration *micros        `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   uint32         `json:"tid"`
	Scope    string         `json:"s,omitempty"` // of an instant: how far its line reaches
	Args     map[string]any `json:"args,omitempty"`
}

// The phases.
const (
	complete = "X"
	instant  = "i"
	counter  = "C"
	metadata = "M"
)

// process is the only one.
const process = 1

// hostThread has what happened on the host's side.
const hostThread = 0

// maxLanes bounds the lanes of a worker.
const maxLanes = 1024

func threadOf(worker int, lane uint16) uint32 {
	return uint32(worker)*maxLanes + uint32(lane)%maxLanes + 1
}

// micros is a time that JSON has in microseconds.
type micros time.Duration

// MarshalJSON writes it exactly. A damaged recording has times before the launch, too.
func (m micros) MarshalJSON() ([]byte, error) {
	sign, n := "", uint64(m)
	if m < 0 {
		sign, n = "-", -n
	}
	return fmt.Appendf(nil, "%s%d.%03d", sign, n/1000, n%1000), nil
}

// during makes a complete event.
func during(name, category string, thread uint32, from, to time.Duration, args map[string]any) event {
	length := micros(max(0, to-from))
	return event{Name: name, Category: category, Phase: complete, Time: micros(from), Duration: &length, Process: process, Thread: thread, Args: args}
}

// at makes an instant of a thread.
func at(name, category string, thread uint32, when time.Duration, args map[string]any) event {
	return event{Name: name, Category: category, Phase: instant, Scope: "t", Time: micros(when), Process: process, Thread: thread, Args: args}
}

// metadataOf makes the metadata that names the process or a thread.
func metadataOf(what string, thread uint32, name string) event {
	return event{Name: what, Phase: metadata, Process: process, Thread: thread, Args: map[string]any{"name": name}}
}

// emit writes an event.
func (w *Trace) emit(e event) {
	text, err := json.Marshal(e)
	if err != nil {
		w.fail(err)
		return
	}
	if w.some {
		w.write([]byte(",\n"))
	}
	w.some = true
	w.write(text)
}
