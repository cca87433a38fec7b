package megakernel

import (
	"slices"

	"vyretop/engine"
)

// The debug log is a ring with sequence numbers.
//
//	word 0       records reserved so far (only grows, wraps at 2^32), as published last: it may lag behind
//	word 1       capacity in records, a power of two
//	word 2       LogRecordWords
//	word 16..    records
//
// A writer takes number n from a counter of the scheduler with an atomic add, stores n in the sequence word of record n mod
// capacity (that number is never valid there), writes the other words and then the sequence word n+1. A reader takes a record when its
// sequence word is n+1 before and after the copy. Another number means overwritten (lost, counted)
// or, for the newest, still being written.
const (
	LogCursor      = 0
	LogCapacity    = 1
	LogRecordSize  = 2
	LogHeaderWords = 16
	LogRecordWords = 12
)

// Words of a log record.
const (
	LogSeq    = 0
	LogFormat = 1 // format id of debugf, or LogEventBase + event
	LogWorker = 2 // worker in the low 16 bits, lane in the high 16
	LogTask   = 3
	LogOpcode = 4
	LogTime   = 5 // device time: the worker's heartbeat; 6: high word, 0
	LogArgs   = 7 // number of arguments
	LogArg0   = 8
)

// LogEventBase and above are the kernel's own events.
const LogEventBase uint32 = 0x4000_0000

// Event is a kernel event in the debug log.
type Event uint32

// The events. Arguments are given behind each.
const (
	EventNone    Event = iota
	EventDone          // continuation_data
	EventFault         // code
	EventYield         // pc, data
	EventRequeue       // priority, pc
	EventPause         // resume epoch, pc
	EventPrintf        // the operation PRINTF: its format, which the publisher knows, and three values
	EventBreak         // number of the breakpoint, number of the hit, pc
	NumEvents
)

var eventFormats = [NumEvents]string{
	"?", "done, data %u", "fault, code 0x%x", "yield at pc %u, data %u", "requeue as priority %u at pc %u",
	"pause until epoch %u at pc %u", "printf %u: %u %u %u", "breakpoint %u, hit %u at pc %u",
}

var eventNames = [NumEvents]string{"debugf", "done", "fault", "yield", "requeue", "pause", "printf", "break"}

// String names the event; EventNone stands for a message of the program.
func (e Event) String() string {
	if e < NumEvents {
		return eventNames[e]
	}
	return "?"
}

// KindOf is what kind of record has a format id: the kernel's event, or EventNone for a message of the program.
func KindOf(format uint32) Event {
	if format < LogEventBase {
		return EventNone
	}
	return Event(format - LogEventBase)
}

// FormatOf returns the format text of a format id: one of the kernel's events, or a debugf format
// of the program.
func FormatOf(id uint32, formats []string) (string, bool) {
	if id >= LogEventBase {
		if e := id - LogEventBase; e < uint32(NumEvents) {
			return eventFormats[e], true
		}
		return "", false
	}
	if int64(id) < int64(len(formats)) {
		return formats[id], true
	}
	return "", false
}

// LogRecord is one decoded record.
type LogRecord struct {
	Number   uint64 // running number since launch, from 0
	Format   uint32
	Worker   uint16
	Lane     uint16
	Task     uint32
	Opcode   uint32
	Time     uint64 // device ticks
	ArgCount uint8
	Args     [4]uint32
}

// LogWords is the size of a debug log with the given capacity in records, a power of two.
func LogWords(capacity int) int { return LogHeaderWords + capacity*LogRecordWords }

// EncodeLog makes an empty debug log.
func EncodeLog(capacity int) []uint32 {
	w := make([]uint32, LogWords(capacity))
	w[LogCapacity], w[LogRecordSize] = uint32(capacity), LogRecordWords
	return w
}

// LogReader follows a debug log that a kernel may be writing. It is not safe for concurrent use.
type LogReader struct {
	words    engine.Words
	capacity uint32
	next     uint64 // number of the next record to read
	lost     uint64
	run      []uint32 // copies of records
}

// NewLogReader checks the header and starts at the oldest record that can still be there.
func NewLogReader(words engine.Words) (*LogReader, error) {
	if len(words) < LogHeaderWords {
		return nil, shortBuffer("debug log", len(words), LogHeaderWords)
	}
	capacity := words.Load(LogCapacity)
	if capacity == 0 || capacity&(capacity-1) != 0 || words.Load(LogRecordSize) != LogRecordWords {
		return nil, &FormatError{Buffer: "debug log", Word: LogCapacity, Detail: "capacity or record size is not one we write", Fix: "check that this is a debug log"}
	}
	if need := LogWords(int(capacity)); len(words) < need {
		return nil, shortBuffer("debug log", len(words), need)
	}
	return &LogReader{words: words, capacity: capacity, run: make([]uint32, min(logRun, capacity)*LogRecordWords)}, nil
}

// Lost is the number of records that were overwritten before they were read.
func (r *LogReader) Lost() uint64 { return r.lost }

// Read appends the records that are complete, in order, at most limit of them, and returns how many
// records are known to be reserved but are still being written. It stops at the first of those: order
// is kept. The cursor may lag behind: what is complete beyond it is read too. Where writers overtake the
// reader it goes on with records that are some way ahead of them, and it returns when it has passed a whole log.
func (r *LogReader) Read(dst []LogRecord, limit int) (out []LogRecord, inFlight uint64) {
	out = dst
	end := r.extend(r.words.Load(LogCursor))
	r.skipTo(end)
	last := r.next + uint64(limit) + uint64(r.capacity)
	lead := max(uint64(r.capacity)/16, 1)
	for try := uint64(1); len(out)-len(dst) < limit && r.next < last; try = min(2*try, logRun) {
		room := uint64(limit - (len(out) - len(dst)))
		known := end - min(end, r.next)
		var seq uint32
		var whole bool
		if out, seq, whole = r.appendRun(out, min(max(known, try), logRun, room)); whole {
			continue
		}
		newest := r.found(r.next, seq)
		if newest == absent {
			return out, max(end, r.next) - r.next
		}
		end = max(end, newest+1) // the place was written again since
		r.lost++
		r.next++
		r.skipTo(end + lead) // what is oldest would be overwritten next
		lead = min(2*lead, uint64(r.capacity)/2)
	}
	return out, 0
}

// logRun is how many records are copied at a time: one after the other, so that the memory has the next
// ones under way, and few enough to be still in the cache when their sequence words are looked at again.
const logRun = 256

// appendRun appends the next records, n of them or as many as there are before the ring's end. It stops at
// the first that is not complete and returns the sequence word of that.
func (r *LogReader) appendRun(out []LogRecord, n uint64) (_ []LogRecord, seq uint32, whole bool) {
	place := uint64(uint32(r.next) & (r.capacity - 1))
	n = min(n, uint64(r.capacity)-place)
	at := LogHeaderWords + int(place)*LogRecordWords
	words := r.run[:n*LogRecordWords]
	r.words.CopyTo(words, at)
	out = slices.Grow(out, int(n))
	for i := 0; i < len(words); i += LogRecordWords {
		w := (*[LogRecordWords]uint32)(words[i:])
		want := uint32(r.next) + 1
		if seq = w[LogSeq]; seq == want {
			seq = r.words.Load(at + i + LogSeq) // was it written again while it was copied?
		}
		if seq != want {
			return out, seq, false
		}
		out = out[:len(out)+1]
		out[len(out)-1].decode(r.next, w)
		r.next++
	}
	return out, 0, true
}

// extend turns the 32-bit cursor into a running number: the smallest one not below next. A cursor that
// lags behind what was read says nothing new.
func (r *LogReader) extend(cursor uint32) uint64 {
	if behind := uint32(r.next) - cursor; behind < 1<<31 && uint64(behind) <= r.next {
		return r.next
	}
	return r.next + uint64(cursor-uint32(r.next))
}

// skipTo counts as lost what the writers have lapped.
func (r *LogReader) skipTo(end uint64) {
	if oldest := end - min(end, uint64(r.capacity)); r.next < oldest {
		r.lost += oldest - r.next
		r.next = oldest
	}
}

// absent as the number of a record says that its place holds none that is complete and later.
const absent = ^uint64(0)

// found turns a sequence word that is not that of the record into the number of a later one. A writer
// that has taken a place and is not done leaves its number there, one less than a sequence word: then
// the earlier record is lost as well.
func (r *LogReader) found(number uint64, seq uint32) uint64 {
	ahead := seq - uint32(number)
	switch {
	case ahead == 0 || int32(ahead) < 0 || ahead < r.capacity:
		return absent
	case (ahead-1)%r.capacity == 0:
		return number + uint64(ahead-1)
	case ahead%r.capacity == 0:
		return number + uint64(ahead)
	}
	return absent
}

func (rec *LogRecord) decode(number uint64, w *[LogRecordWords]uint32) {
	rec.Number, rec.Format = number, w[LogFormat]
	rec.Worker, rec.Lane = uint16(w[LogWorker]), uint16(w[LogWorker]>>16)
	rec.Task, rec.Opcode = w[LogTask], w[LogOpcode]
	rec.Time = uint64(w[LogTime+1])<<32 | uint64(w[LogTime])
	rec.ArgCount = uint8(min(w[LogArgs], 4))
	rec.Args = [4]uint32(w[LogArg0:])
}
