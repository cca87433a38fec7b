package megakernel

// The debug log is two rings with sequence numbers: one for what the kernel notes of every activation, and one for what is
// rare or the program's own (LogOwnKinds), which the first cannot overrun.
//
//	word 0       records of the first ring reserved so far (only grows, wraps at 2^32), as published last: it may lag behind
//	word 1       capacity of each ring in records, a power of two
//	word 2       LogRecordWords
//	word 3       as word 0, of the second ring
//	word 8..15   records reserved so far by kind (Event); those of debugf are not counted here
//	word 16..    records of the first ring, then those of the second
//
// A writer takes number n from a counter of the scheduler with an atomic add, stores n in the sequence word of record n mod
// capacity (that number is never valid there), writes the other words and then the sequence word n+1. A reader takes a record when its
// sequence word is n+1 before and after the copy. Another number means overwritten (lost, counted)
// or, for the newest, still being written.
const (
	LogCursor      = 0
	LogCapacity    = 1
	LogRecordSize  = 2
	LogOwnCursor   = 3
	LogKinds       = 8
	LogHeaderWords = 16
	LogRecordWords = 12
)

// LogOwnKinds has bit k set where records of kind k are in the second ring.
const LogOwnKinds uint32 = 1<<EventNone | 1<<EventFault | 1<<EventPrintf | 1<<EventBreak

// Words of a log record.
const (
	LogSeq    = 0
	LogFormat = 1 // format id of debugf, or LogEventBase + event
	LogWorker = 2 // worker in the low 16 bits, lane in the high 16
	LogTask   = 3
	LogOpcode = 4
	LogTime   = 5 // device time: the worker's heartbeat
	LogMark   = 6 // of a record of the second ring: records of the first that were reserved before it
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
	EventFault         // code, and where it was asked for: number of the file << 16 | line, or 0
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

// LogWords is the size of a debug log with rings of the given capacity in records, a power of two.
func LogWords(capacity int) int { return LogHeaderWords + 2*capacity*LogRecordWords }

// LogHeader is the first words of an empty debug log; the others are zero.
func LogHeader(capacity int) []uint32 {
	w := make([]uint32, LogHeaderWords)
	w[LogCapacity], w[LogRecordSize] = uint32(capacity), LogRecordWords
	return w
}

func (rec *LogRecord) decode(number uint64, w *[LogRecordWords]uint32) {
	rec.Number, rec.Format = number, w[LogFormat]
	rec.Worker, rec.Lane = uint16(w[LogWorker]), uint16(w[LogWorker]>>16)
	rec.Task, rec.Opcode = w[LogTask], w[LogOpcode]
	rec.Time = uint64(w[LogTime])
	rec.ArgCount = uint8(min(w[LogArgs], 4))
	rec.Args = [4]uint32(w[LogArg0:])
}
