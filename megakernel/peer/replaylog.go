package peer

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"vyretop/engine/fault"
)

// Layout of a replay log.
const (
	ReplayHeaderBytes = 32
	ReplayRecordBytes = 64

	replayVersion = 1
	replayMagic   = "VRRL0001"
	recordMagic   = 0xDEADBEEF
	recordUsed    = 44 // bytes of a record that are not padding
)

// Sentinels for errors.Is; every error about a replay log is a *ReplayError.
const (
	// ErrReplayCapacity: a log of that many records cannot be.
	ErrReplayCapacity fault.Kind = "impossible replay log capacity"
	// ErrReplayFormat: the file is something else, of another version, or damaged.
	ErrReplayFormat fault.Kind = "not a replay log"
	// ErrReplayShort: the file ends before its records do.
	ErrReplayShort fault.Kind = "replay log breaks off"
)

// ReplayError says what is wrong with a replay log.
type ReplayError struct {
	Kind     error // one of the sentinels
	Capacity uint64
	Detail   string
	Fix      string
}

// Error implements error.
func (e *ReplayError) Error() string {
	return fmt.Sprintf("%v: %s. Fix: %s", e.Kind, e.Detail, e.Fix)
}

// Unwrap makes errors.Is match the kind.
func (e *ReplayError) Unwrap() error { return e.Kind }

// ReplayRecord is a publication that the peer logged.
type ReplayRecord struct {
	Time   uint64 // ns, by the peer's clock
	Slot   uint32
	Tenant uint32
	Opcode uint32
	Args   [4]uint32
	Epoch  uint32
}

// ReplayLog is a replay log in memory. It is a ring: what is appended to a full one replaces the oldest.
type ReplayLog struct {
	file     []byte
	capacity uint64
	cursor   uint64
}

// CheckReplayCapacity refuses a capacity of none, and one beyond MaxItems records.
func CheckReplayCapacity(records uint64) error {
	switch {
	case records == 0:
		return &ReplayError{Kind: ErrReplayCapacity, Detail: "it has no room for a record", Fix: "use at least 1"}
	case records > MaxItems:
		return &ReplayError{Kind: ErrReplayCapacity, Capacity: records, Detail: fmt.Sprintf("%d records, at most %d are allowed", records, MaxItems), Fix: "use fewer; a log is a ring"}
	}
	return nil
}

// NewReplayLog makes a log without records.
func NewReplayLog(capacity uint64) (*ReplayLog, error) {
	if err := CheckReplayCapacity(capacity); err != nil {
		return nil, err
	}
	l := &ReplayLog{file: make([]byte, ReplayHeaderBytes+capacity*ReplayRecordBytes), capacity: capacity}
	copy(l.file, replayMagic)
	binary.LittleEndian.PutUint32(l.file[8:], replayVersion)
	binary.LittleEndian.PutUint64(l.file[16:], capacity)
	return l, nil
}

// MaxReplayBytes is the size of the largest log.
const MaxReplayBytes = ReplayHeaderBytes + MaxItems*ReplayRecordBytes

// IsReplayLog reports whether a file begins as a replay log does.
func IsReplayLog(file []byte) bool { return bytes.HasPrefix(file, []byte(replayMagic)) }

// OpenReplayLog reads the header of a log, whose bytes it keeps. A cursor beyond the capacity is taken
// around. Records are looked at by Records.
func OpenReplayLog(file []byte) (*ReplayLog, error) {
	if len(file) < ReplayHeaderBytes {
		return nil, replayShort(len(file), ReplayHeaderBytes)
	}
	if !IsReplayLog(file) {
		return nil, &ReplayError{Kind: ErrReplayFormat, Detail: fmt.Sprintf("it begins with %q", file[:8]), Fix: "use a file that begins with " + replayMagic}
	}
	if v := binary.LittleEndian.Uint32(file[8:]); v != replayVersion {
		return nil, &ReplayError{Kind: ErrReplayFormat, Detail: fmt.Sprintf("it has version %d", v), Fix: fmt.Sprintf("write it with version %d", replayVersion)}
	}
	capacity := binary.LittleEndian.Uint64(file[16:])
	if err := CheckReplayCapacity(capacity); err != nil {
		return nil, err
	}
	return &ReplayLog{file: file, capacity: capacity, cursor: binary.LittleEndian.Uint64(file[24:]) % capacity}, nil
}

func replayShort(have int, need uint64) error {
	return &ReplayError{Kind: ErrReplayShort, Detail: fmt.Sprintf("it has %d bytes, needs %d", have, need), Fix: "copy the whole file, after its writer has ended"}
}

// Capacity is the number of records that fit.
func (l *ReplayLog) Capacity() uint64 { return l.capacity }

// Cursor is the index of the next record to be written.
func (l *ReplayLog) Cursor() uint64 { return l.cursor }

// Bytes are the bytes of the file; they are not a copy.
func (l *ReplayLog) Bytes() []byte { return l.file }

// record returns the bytes of a record; the file is known to be long enough.
func (l *ReplayLog) record(i uint64) []byte {
	return l.file[ReplayHeaderBytes+i*ReplayRecordBytes:][:ReplayRecordBytes]
}

// whole refuses a file that ends before its records do.
func (l *ReplayLog) whole() error {
	if need := ReplayHeaderBytes + l.capacity*ReplayRecordBytes; uint64(len(l.file)) < need {
		return replayShort(len(l.file), need)
	}
	return nil
}

// Append writes a record. A log that breaks off is an error.
func (l *ReplayLog) Append(r ReplayRecord) error {
	if err := l.whole(); err != nil {
		return err
	}
	b := l.record(l.cursor)
	clear(b[recordUsed:])
	binary.LittleEndian.PutUint32(b, recordMagic)
	binary.LittleEndian.PutUint64(b[4:], r.Time)
	for i, w := range []uint32{r.Slot, r.Tenant, r.Opcode, r.Args[0], r.Args[1], r.Args[2], r.Args[3], r.Epoch} {
		binary.LittleEndian.PutUint32(b[12+4*i:], w)
	}
	l.cursor = (l.cursor + 1) % l.capacity
	binary.LittleEndian.PutUint64(l.file[24:], l.cursor)
	return nil
}

// Records returns the records, oldest first. A file that breaks off, or a record that is neither empty
// nor one, is an error.
func (l *ReplayLog) Records() ([]ReplayRecord, error) {
	if err := l.whole(); err != nil {
		return nil, err
	}
	var out []ReplayRecord
	for n := range l.capacity {
		i := (l.cursor + n) % l.capacity
		b := l.record(i)
		switch magic := binary.LittleEndian.Uint32(b); magic {
		case 0:
		case recordMagic:
			out = append(out, decodeReplayRecord(b))
		default:
			return nil, &ReplayError{Kind: ErrReplayFormat, Detail: fmt.Sprintf("record %d begins with %#x", i, magic), Fix: "use an undamaged copy"}
		}
	}
	return out, nil
}

func decodeReplayRecord(b []byte) ReplayRecord {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	return ReplayRecord{
		Time: binary.LittleEndian.Uint64(b[4:]), Slot: word(12), Tenant: word(16), Opcode: word(20),
		Args: [4]uint32{word(24), word(28), word(32), word(36)}, Epoch: word(40),
	}
}
