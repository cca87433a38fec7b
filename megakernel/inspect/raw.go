package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

// maxRawBytes bounds a file of raw buffers: a ring of the most slots, with its control buffer and log.
const maxRawBytes = 256 << 20

// raw is a snapshot of a target as three buffers in a file, one behind the other, words little-endian:
//
//	control     160 words and the observables (see package megakernel)
//	ring        slots of 16 words, as many as the last priority offset of the control buffer says; where
//	            that is 0, the fewest behind which the rest is a debug log that fills it exactly
//	debug log   the rest, as the published peer lays it out (package peer); it may be missing
type raw struct {
	snapshot *megakernel.Snapshot
	log      []megakernel.LogRecord
}

func openRaw(name string, o Options) (Subject, error) {
	words, err := readWords(name)
	if err != nil {
		return nil, err
	}
	fixed := megakernel.ControlMinWords + int(min(o.Observables, megakernel.MaxObservables))
	var control megakernel.Control
	if len(words) < fixed || control.Decode(words[:fixed]) != nil {
		return nil, notRaw(name, "it begins with no control buffer")
	}
	rest := words[fixed:]
	slots := uint64(o.Slots)
	if slots == 0 {
		slots = ringSlots(&control, rest)
	}
	if slots*tasks.SlotWords > uint64(len(rest)) {
		return nil, &fault.Error{Kind: ErrSubject, Subject: name, Detail: fmt.Sprintf("%d slots do not fit into the %d words behind the control buffer", slots, len(rest)), Fix: "give --slots, and --observables where the control buffer has any"}
	}
	ring := rest[:slots*tasks.SlotWords]
	r := &raw{snapshot: &megakernel.Snapshot{Control: words[:fixed], Slots: ring}}
	if rest = rest[len(ring):]; len(rest) > 0 {
		if r.log, err = rawLog(name, rest); err != nil {
			return nil, err
		}
	}
	r.snapshot.LogCursor = uint32(len(r.log))
	return r, nil
}

// ringSlots is the number of slots in the words behind a control buffer.
func ringSlots(c *megakernel.Control, rest []uint32) uint64 {
	if n := c.PriorityOffsets[tasks.NumPriorities]; n > 0 {
		return uint64(n)
	}
	slots := 0
	for ; (slots+1)*tasks.SlotWords <= len(rest); slots++ { // a state word is never such a length
		if at := slots * tasks.SlotWords; uint64(rest[at]) == uint64(len(rest)-at-peer.LogRecord0) {
			break
		}
	}
	return uint64(slots)
}

func notRaw(name, detail string) error {
	if capture.IsCapture(name) {
		return &fault.Error{Kind: ErrSubject, Subject: name, Detail: "it is a capture of one task", Fix: "open it with vyretop debug " + name}
	}
	return &fault.Error{Kind: ErrSubject, Subject: name, Detail: "it is neither a recording nor raw buffers: " + detail, Fix: "name a live run, a recording, or a file of control buffer, ring and debug log"}
}

func readWords(name string) ([]uint32, error) {
	f, err := plainfile.Open(name)
	if errors.Is(err, plainfile.ErrSpecial) {
		if errors.Is(err, syscall.EISDIR) {
			return nil, &fault.Error{Kind: ErrSubject, Subject: name, Detail: "it is a folder, not a run, a recording or raw buffers", Fix: "name a live run, which vyretop list shows, or a file; vyretop run " + name + " runs the workload in a folder"}
		}
		return nil, notRaw(name, errors.Unwrap(err).Error())
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRawBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxRawBytes:
		return nil, notRaw(name, "it is too large")
	case len(text)%4 != 0:
		return nil, notRaw(name, "its size is not a multiple of 4 bytes")
	}
	return engine.DecodeWords(text), nil
}

// rawLog reads a debug log of the peer. Its records have no worker, task or time.
func rawLog(name string, words []uint32) ([]megakernel.LogRecord, error) {
	l, err := peer.ReadLog(words)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	out := make([]megakernel.LogRecord, l.Len())
	for i := range out {
		r := l.At(i)
		out[i] = megakernel.LogRecord{Number: uint64(i), Format: r.Format, ArgCount: 3, Args: [4]uint32{r.Arg0, r.Arg1, r.Arg2}}
	}
	return out, nil
}

func (r *raw) Kind() Kind              { return Raw }
func (r *raw) Header() fixtures.Header { return fixtures.Header{} }
func (r *raw) Close() error            { return nil }

func (r *raw) LastLog(limit int) []megakernel.LogRecord { return r.log[max(0, len(r.log)-limit):] }

func (r *raw) History(_ context.Context, want fixtures.Wanted, each func(*fixtures.StreamMessage) error) error {
	if !want.Log || len(r.log) == 0 {
		return nil
	}
	return each(&fixtures.StreamMessage{Log: r.log})
}

func (r *raw) Now(context.Context) (*megakernel.Snapshot, error) { return r.snapshot, nil }

func (r *raw) Pair(context.Context, time.Duration) (now, before *megakernel.Snapshot, err error) {
	return r.snapshot, nil, nil
}

func (r *raw) Follow(_ context.Context, each func(*fixtures.StreamMessage) error) error {
	if len(r.log) > 0 {
		if err := each(&fixtures.StreamMessage{Log: r.log}); err != nil {
			return err
		}
	}
	return each(&fixtures.StreamMessage{Snapshot: r.snapshot})
}

// WriteRaw writes a snapshot as raw buffers. Of a debug-log record that form has the format and the first
// three arguments only.
func WriteRaw(w io.Writer, s *megakernel.Snapshot, records []megakernel.LogRecord) error {
	if len(s.Control) < megakernel.ControlMinWords {
		return &fault.Error{Kind: ErrSubject, Subject: "the target", Detail: "no control buffer", Fix: "choose a later position"}
	}
	log := []uint32{uint32(len(records)) * peer.LogRecordWords}
	for i := range records {
		r := &records[i]
		log = append(log, r.Format, r.Args[0], r.Args[1], r.Args[2])
	}
	for _, words := range [][]uint32{s.Control, s.Slots, log} {
		if err := WriteWords(w, words); err != nil {
			return err
		}
	}
	return nil
}
