package megakernel

import (
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"vyretop/engine"
	"vyretop/engine/fault"
)

// logWriter writes records the way a kernel does, in steps, so that tests can stop in between.
type logWriter struct {
	words engine.Words
}

// emptyLog makes an empty debug log.
func emptyLog(capacity int) []uint32 {
	return append(LogHeader(capacity), make([]uint32, LogWords(capacity)-LogHeaderWords)...)
}

func newLogWriter(capacity int) *logWriter { return &logWriter{words: emptyLog(capacity)} }

func (w *logWriter) at(number uint32) int {
	return LogHeaderWords + int(number&(w.words.Load(LogCapacity)-1))*LogRecordWords
}

// reserve takes the next number, as atomicAdd does, and marks the record as being written.
func (w *logWriter) reserve() uint32 {
	number := w.words.Add(LogCursor, 1) - 1
	w.words.Store(w.at(number)+LogSeq, number)
	return number
}

// commit fills the record so that every word tells its number, and then publishes it.
func (w *logWriter) commit(number uint32) {
	at := w.at(number)
	w.words.CopyFrom(at+1, []uint32{number ^ 1, number, number ^ 3, number ^ 4, number, 0, 4, number, number + 1, number + 2, number + 3})
	w.words.Store(at+LogSeq, number+1)
}

func (w *logWriter) write(n int) {
	for range n {
		w.commit(w.reserve())
	}
}

// startAt makes a log in which number records have been written and a reader that has read them.
func startAt(t *testing.T, capacity int, number uint64) (*logWriter, *LogReader) {
	t.Helper()
	w := newLogWriter(capacity)
	w.words.Store(LogCursor, uint32(number))
	for n := number - min(number, uint64(capacity)); n < number; n++ { // a place that was never written has the sequence word of record 1<<32 - 1
		w.words.Store(w.at(uint32(n))+LogSeq, uint32(n)+1)
	}
	r, err := NewLogReader(w.words)
	if err != nil {
		t.Fatal(err)
	}
	r.main.next = number
	return w, r
}

// checkRecord compares a record with what commit wrote for its number.
func checkRecord(t *testing.T, r LogRecord) {
	t.Helper()
	n := uint32(r.Number)
	want := LogRecord{
		Number: r.Number, Format: n ^ 1, Worker: uint16(n), Lane: uint16(n >> 16), Task: n ^ 3, Opcode: n ^ 4,
		Time: uint64(n), ArgCount: 4, Args: [4]uint32{n, n + 1, n + 2, n + 3},
	}
	if r != want {
		t.Fatalf("record %d is torn: %+v, want %+v", r.Number, r, want)
	}
}

// wrapStarts are running numbers at which the 32-bit cursor is about to wrap, and not.
var wrapStarts = map[string]uint64{"from the start": 0, "across the first wrap": 1<<32 - 3, "across the fifth wrap": 5<<32 - 3}

func TestLogReaderReadsEveryRecordInOrder(t *testing.T) {
	for name, start := range wrapStarts {
		t.Run(name, func(t *testing.T) {
			w, r := startAt(t, 8, start)
			next := start
			for range 5 {
				w.write(7)
				var got []LogRecord
				for _, limit := range []int{3, 0, 100} {
					got, _ = r.Read(got, limit)
				}
				if len(got) != 7 {
					t.Fatalf("read %d records, want 7", len(got))
				}
				for _, rec := range got {
					if rec.Number != next {
						t.Fatalf("record %d, want %d", rec.Number, next)
					}
					checkRecord(t, rec)
					next++
				}
			}
			if r.Lost() != 0 {
				t.Errorf("lost %d records", r.Lost())
			}
		})
	}
}

func TestLogReaderCountsEveryLostRecord(t *testing.T) {
	for name, start := range wrapStarts {
		for _, written := range []int{8, 9, 16, 17, 1000} {
			w, r := startAt(t, 8, start)
			w.write(written)
			got, inFlight := r.Read(nil, written)
			if len(got) != 8 || r.Lost() != uint64(written-8) || inFlight != 0 {
				t.Errorf("%s, %d written into 8: read %d, lost %d, in flight %d", name, written, len(got), r.Lost(), inFlight)
			}
			if len(got) > 0 && got[0].Number != start+uint64(written-8) {
				t.Errorf("%s: the first record is %d, want %d", name, got[0].Number, start+uint64(written-8))
			}
		}
	}
}

func TestLogReaderStopsAtARecordBeingWritten(t *testing.T) {
	for name, start := range wrapStarts {
		t.Run(name, func(t *testing.T) {
			w, r := startAt(t, 8, start)
			w.write(1)
			open := [2]uint32{w.reserve(), w.reserve()}
			w.write(1)
			got, inFlight := r.Read(nil, 10)
			if len(got) != 1 || inFlight != 3 {
				t.Fatalf("read %d, in flight %d; want 1 and 3", len(got), inFlight)
			}
			w.commit(open[1])
			w.commit(open[0])
			got, inFlight = r.Read(got, 10)
			if len(got) != 4 || inFlight != 0 || r.Lost() != 0 {
				t.Errorf("read %d, in flight %d, lost %d; want 4, 0, 0", len(got), inFlight, r.Lost())
			}
			for _, rec := range got {
				checkRecord(t, rec)
			}
		})
	}
}

// TestLogReaderDoesNotWaitForALappedWriter: a record that its writer never finished is lost once
// the ring has gone round, and the ones behind it are read.
func TestLogReaderDoesNotWaitForALappedWriter(t *testing.T) {
	w, r := startAt(t, 4, 0)
	w.reserve()
	w.write(4)
	got, inFlight := r.Read(nil, 10)
	if len(got) != 4 || inFlight != 0 || r.Lost() != 1 {
		t.Errorf("read %d, in flight %d, lost %d; want 4, 0, 1", len(got), inFlight, r.Lost())
	}
}

// TestLogReaderSurvivesALaggingCursor: a cursor that was published before the records that were read
// counted four thousand million records as lost.
func TestLogReaderSurvivesALaggingCursor(t *testing.T) {
	for name, start := range wrapStarts {
		t.Run(name, func(t *testing.T) {
			w, r := startAt(t, 16, start)
			published := w.words.Load(LogCursor)
			w.write(10)
			w.words.Store(LogCursor, published)
			for range 2 {
				if _, inFlight := r.Read(nil, 100); inFlight != 0 {
					t.Errorf("%d in flight", inFlight)
				}
			}
			w.words.Store(LogCursor, published+10)
			w.write(3)
			got, _ := r.Read(nil, 100)
			if len(got) != 3 || r.Lost() != 0 {
				t.Errorf("read %d, lost %d; want 3, 0", len(got), r.Lost())
			}
		})
	}
}

// TestLogReaderReadsFarBeyondALaggingCursor: however much is there that the cursor does not tell of, one call
// reads it and returns.
func TestLogReaderReadsFarBeyondALaggingCursor(t *testing.T) {
	const n = 1 << 15
	w, r := startAt(t, n, 0)
	w.write(n)
	w.words.Store(LogCursor, 0)
	got, _ := r.Read(nil, 2*n)
	if len(got) != n || r.Lost() != 0 {
		t.Fatalf("%d records and %d lost of %d", len(got), r.Lost(), n)
	}
	for _, rec := range got {
		checkRecord(t, rec)
	}
}

// TestLogReaderUnderAConcurrentWriter: with a small ring and a fast writer records are lost, but no
// record is torn, doubled or out of order, and read plus lost is exactly what was written.
func TestLogReaderUnderAConcurrentWriter(t *testing.T) {
	for name, start := range wrapStarts {
		t.Run(name, func(t *testing.T) {
			const written = 50_000
			w, r := startAt(t, 64, start)
			var done atomic.Bool
			go func() {
				defer done.Store(true)
				for i := range written {
					w.write(1)
					if i%48 == 0 {
						runtime.Gosched()
					}
				}
			}()
			read := readUntil(t, r, &done, start)
			if uint64(read)+r.Lost() != written {
				t.Errorf("read %d, lost %d of %d", read, r.Lost(), written)
			}
		})
	}
}

// readUntil reads until the writer is done and nothing is left, and returns the number of records.
func readUntil(t *testing.T, r *LogReader, done *atomic.Bool, next uint64) (read int) {
	t.Helper()
	var buf []LogRecord
	for {
		last := done.Load()
		buf, _ = r.Read(buf[:0], 32)
		for _, rec := range buf {
			if rec.Number < next {
				t.Fatalf("record %d after %d", rec.Number, next-1)
			}
			next = rec.Number + 1
			checkRecord(t, rec)
		}
		read += len(buf)
		if last && len(buf) == 0 {
			return read
		}
		runtime.Gosched()
	}
}

func TestNewLogReaderRefusesOtherBuffers(t *testing.T) {
	good := emptyLog(4)
	change := func(i int, v uint32) []uint32 {
		w := append([]uint32(nil), good...)
		w[i] = v
		return w
	}
	tests := map[string][]uint32{
		"nothing": nil, "short header": good[:LogHeaderWords-1], "short ring": good[:len(good)-1],
		"no capacity": change(LogCapacity, 0), "capacity no power of two": change(LogCapacity, 3),
		"capacity beyond the buffer": change(LogCapacity, 1<<31), "other record size": change(LogRecordSize, 4),
	}
	for name, words := range tests {
		if _, err := NewLogReader(words); !isFormatError(err, "debug log") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	if _, err := NewLogReader(good); err != nil {
		t.Errorf("a fresh log is refused: %v", err)
	}
}

// isFormatError reports whether err is a complete error of ErrFormat about the buffer.
func isFormatError(err error, buffer string) bool {
	var fe *fault.Error
	return errors.Is(err, ErrFormat) && errors.As(err, &fe) && strings.HasPrefix(fe.Subject, buffer+" buffer") && fe.Detail != "" && strings.Contains(err.Error(), "Fix: ")
}

func FuzzLogReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, uint32(5), uint32(9))
	f.Add([]byte{5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6}, uint32(1<<31), uint32(7))
	f.Fuzz(func(t *testing.T, body []byte, cursor, later uint32) {
		words := emptyLog(8)
		for i, b := range body {
			if at := LogHeaderWords + i; at < len(words) {
				words[at] = uint32(b)
			}
		}
		r, err := NewLogReader(words)
		if err != nil {
			t.Fatal(err)
		}
		var total uint64
		for _, c := range []uint32{cursor, later} {
			words[LogCursor] = c
			got, _ := r.Read(nil, 5)
			if len(got) > 5 {
				t.Fatalf("read %d records, limit 5", len(got))
			}
			for i := range got {
				_ = got[i].Text(nil)
			}
			total += uint64(len(got))
		}
		if total+r.Lost() != r.main.next+r.own.next {
			t.Errorf("read %d + lost %d, but stands at %d", total, r.Lost(), r.main.next)
		}
	})
}

// BenchmarkLogRead is the time that a record takes which a kernel has written: 1,024 of them at a time.
func BenchmarkLogRead(b *testing.B) {
	const n = 1024
	w := newLogWriter(2 * n)
	r, err := NewLogReader(w.words)
	if err != nil {
		b.Fatal(err)
	}
	w.write(2 * n)
	for b.Loop() {
		r.main.next = n / 2
		if got, _ := r.Take(n); got.Len() != n {
			b.Fatal(got.Len())
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/record")
}
