package recommend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// requestJSON is a request with its 64-bit members as JSON has them; they hide those of the request.
type requestJSON struct {
	policy.Request
	RequeueCount            wide `json:"requeue_count"`
	ResidentDeviceBytes     wide `json:"resident_device_bytes"`
	DeviceMemoryBudgetBytes wide `json:"device_memory_budget_bytes"`
}

func requestOf(r *policy.Request) requestJSON {
	return requestJSON{*r, wide(r.RequeueCount), wide(r.ResidentDeviceBytes), wide(r.DeviceMemoryBudgetBytes)}
}

// ReadRequest reads the members of a request from JSON over those of base. The error is a
// policy.ErrInput that names file.
func ReadRequest(file string, text []byte, base *policy.Request) (policy.Request, error) {
	r := requestOf(base)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&r)
	if err == nil && d.Decode(new(json.RawMessage)) != io.EOF {
		err = errors.New("unexpected text after the object")
	}
	if err != nil {
		return policy.Request{}, &fault.Error{Kind: policy.ErrInput, Detail: file + " invalid launch request: " + malformed(err), Fix: "write one JSON object with members such as queue_len; vyretop recommend --json prints a whole one"}
	}
	out := r.Request
	out.RequeueCount, out.ResidentDeviceBytes, out.DeviceMemoryBudgetBytes = uint64(r.RequeueCount), uint64(r.ResidentDeviceBytes), uint64(r.DeviceMemoryBudgetBytes)
	return out, nil
}

// malformed says what is wrong with a request, in the words of JSON where the decoder has those of Go.
func malformed(err error) string {
	var t *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends in the middle"
	case !errors.As(err, &t):
		return err.Error()
	case t.Field == "":
		return fmt.Sprintf("it is of another kind: %s", t.Value)
	}
	member := t.Field[strings.LastIndexByte(t.Field, '.')+1:]
	return fmt.Sprintf("%s takes a whole number of %d bits from 0 on, not %s", member, t.Type.Bits(), t.Value)
}

// Recording has the snapshots of a recording: by time since launch, with its number, and by number.
type Recording interface {
	// SnapshotAt is the newest snapshot at a time.
	SnapshotAt(at time.Duration) (s *megakernel.Snapshot, number int, err error)
	// SnapshotNumber is the snapshot of a number, from 0 on.
	SnapshotNumber(number int) (s *megakernel.Snapshot, at time.Duration, err error)
}

// FromRecording makes a request from what a recording shows at a time since launch: its device's
// limits, the workers and the queue of the newest snapshot, what is hot, and the requeues since the
// snapshot before. Windows are as in FromSnapshots.
func FromRecording(profile json.RawMessage, rec Recording, at time.Duration, windows []uint32) (policy.Request, error) {
	r := policy.Request{Limits: limitsOf(profile)}
	s, number, err := rec.SnapshotAt(at)
	if err != nil {
		return r, err
	}
	if s == nil {
		return r, &fault.Error{Kind: policy.ErrInput, Detail: fmt.Sprintf("--at %v is before the first snapshot", at), Fix: "use a later time; vyretop replay FILE shows the span"}
	}
	var earlier *megakernel.Snapshot
	if number > 0 {
		if earlier, _, err = rec.SnapshotNumber(number - 1); err != nil {
			return r, err
		}
	}
	return FromSnapshots(profile, s, earlier, windows)
}

// FromSnapshots makes a request from two snapshots of a target and its device's profile: the workers and
// the queue of the newer one, what is hot, and the requeues since the earlier one, which may be nil.
// Slots with an opcode of windows are grouped by their first argument, the ticket of their window.
func FromSnapshots(profile json.RawMessage, s, before *megakernel.Snapshot, windows []uint32) (policy.Request, error) {
	r := policy.Request{Limits: limitsOf(profile)}
	now, err := tasks.Summarise(s.Slots)
	if err != nil {
		return r, err
	}
	earlier := tasks.QueueSnapshot{}
	if before != nil {
		if earlier, err = tasks.Summarise(before.Slots); err != nil {
			return r, err
		}
	}
	r.Groups = uint32(max(s.Workers, 0))
	if err := feed(&r, s, windows); err != nil {
		return r, err
	}
	return r, r.AddQueueSince(&now, &earlier)
}

func feed(r *policy.Request, s *megakernel.Snapshot, windows []uint32) error {
	var reading stats.Reading
	if err := stats.NewDecoder(windows).Decode(&reading, s.Control, s.Slots); err != nil {
		return err
	}
	reading.Feed(r)
	stats.FeedGraph(s.Progress.Graph, r)
	return nil
}

// limitsOf reads the limits of a recorded device. A profile that a later version wrote differently
// counts as one that says nothing.
func limitsOf(profile json.RawMessage) policy.Limits {
	var p engine.DeviceProfile
	if json.Unmarshal(profile, &p) != nil {
		return policy.MinimumLimits
	}
	return policy.LimitsOf(&p)
}
