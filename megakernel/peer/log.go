package peer

import "slices"

// Layout of the peer's debug log.
const (
	LogRecord0     = 1 // word of the first record
	LogRecordWords = 4
)

// LogRecord is one record. Its arguments are fields because the compiler keeps an array in memory, which
// makes reading a log several times slower.
type LogRecord struct{ Format, Arg0, Arg1, Arg2 uint32 }

// Log is a debug log that was checked: whole records up to its cursor.
type Log struct{ words []uint32 }

// ReadLog checks a debug log. The cursor must stand behind a whole record, inside the buffer. The peer
// continues counting when its log is full; such a log is an error of kind ErrMissingWord.
func ReadLog(words []uint32) (Log, error) {
	cursor, err := word("debug_log", words, 0)
	if err != nil {
		return Log{}, err
	}
	bytes := 4 * uint64(len(words))
	if cursor%LogRecordWords != 0 {
		return Log{}, &BufferError{Kind: ErrMisaligned, Buffer: "debug_log", Bytes: bytes}
	}
	if end := LogRecord0 + uint64(cursor); end > uint64(len(words)) {
		return Log{}, &BufferError{Kind: ErrMissingWord, Buffer: "debug_log", Word: end - 1, Bytes: bytes}
	}
	return Log{words: words[LogRecord0:][:cursor]}, nil
}

// Len is the number of records.
func (l Log) Len() int { return len(l.words) / LogRecordWords }

// At is record i, which is below Len.
func (l Log) At(i int) LogRecord {
	w := (*[LogRecordWords]uint32)(l.words[i*LogRecordWords:])
	return LogRecord{w[0], w[1], w[2], w[3]}
}

// AppendTo appends the records to dst.
func (l Log) AppendTo(dst []LogRecord) []LogRecord {
	dst = slices.Grow(dst, l.Len())
	for w := l.words; len(w) >= LogRecordWords; w = w[LogRecordWords:] {
		dst = append(dst, LogRecord{w[0], w[1], w[2], w[3]})
	}
	return dst
}
