package peer_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/tasks"
)

// fails reports an error that is not of a kind, or that does not say what to do.
func fails(t testing.TB, what string, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) || !strings.Contains(err.Error(), "Fix: ") {
		t.Errorf("%s: %v, want %v with a Fix", what, err, kind)
	}
}

func TestWords(t *testing.T) {
	words, err := peer.Words("ring", []byte{1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF})
	if err != nil || !slices.Equal(words, []uint32{1, math.MaxUint32}) {
		t.Errorf("%v, %v", words, err)
	}
	for n := 1; n < 4; n++ {
		_, err := peer.Words("ring", make([]byte, n))
		fails(t, "part of a word", err, peer.ErrMisaligned)
		fails(t, "part of a word", err, megakernel.ErrFormat)
	}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.Uint32()).Draw(t, "words")
		if back, err := peer.Words("ring", peer.Bytes(words)); err != nil || !slices.Equal(back, words) {
			t.Errorf("%v, %v, want %v", back, err, words)
		}
	})
}

func TestLengths(t *testing.T) {
	tests := []struct {
		name  string
		f     func(uint32) (uint64, bool)
		n     uint32
		bytes uint64
	}{
		{"control", peer.ControlBytes, 0, 640}, {"control", peer.ControlBytes, math.MaxUint32 - 160, 4 * math.MaxUint32},
		{"ring", peer.RingBytes, 3, 192}, {"ring", peer.RingBytes, 1<<28 - 1, (1<<28 - 1) * 64},
		{"log", peer.LogBytes, 0, 4}, {"log", peer.LogBytes, 64, 1028}, {"log", peer.LogBytes, 1<<30 - 1, 4 + (1<<30-1)*16},
	}
	for _, tt := range tests {
		if n, ok := tt.f(tt.n); n != tt.bytes || !ok {
			t.Errorf("%s of %d: %d, %v", tt.name, tt.n, n, ok)
		}
		if _, ok := tt.f(math.MaxUint32); ok {
			t.Errorf("%s of 2^32-1 fits", tt.name)
		}
	}
}

func TestEmptyBuffers(t *testing.T) {
	if ring, err := peer.EmptyRing(2); len(ring) != 32 || err != nil {
		t.Errorf("ring of %d words, %v", len(ring), err)
	}
	if log, err := peer.EmptyLog(2); len(log) != 9 || err != nil {
		t.Errorf("log of %d words, %v", len(log), err)
	}
	_, err := peer.EmptyRing(peer.MaxItems + 1)
	fails(t, "large ring", err, peer.ErrTooLong)
	_, err = peer.EmptyLog(peer.MaxItems + 1)
	fails(t, "large log", err, peer.ErrTooLong)
}

func TestControlReaders(t *testing.T) {
	control := make([]uint32, 162)
	control[megakernel.CtrlDoneCount], control[megakernel.CtrlEpoch], control[161], control[megakernel.CtrlMetrics0+31] = 7, 8, 9, 10
	readers := []struct {
		name string
		read func([]uint32) (uint32, error)
		want uint32
		need int
	}{
		{"done count", peer.DoneCount, 7, 2},
		{"epoch", peer.Epoch, 8, 129},
		{"observable", func(c []uint32) (uint32, error) { return peer.Observable(c, 1) }, 9, 162},
		{"metrics", func(c []uint32) (uint32, error) { m, err := peer.Metrics(c); return m[31], err }, 10, 128},
	}
	for _, r := range readers {
		if got, err := r.read(control[:r.need]); got != r.want || err != nil {
			t.Errorf("%s: %d, %v", r.name, got, err)
		}
		_, err := r.read(control[:r.need-1])
		fails(t, r.name, err, peer.ErrMissingWord)
	}
	_, err := peer.Observable(control, math.MaxUint32)
	fails(t, "observable 2^32-1", err, peer.ErrTooLong)
}

func TestCountDone(t *testing.T) {
	ring := make([]uint32, 3*tasks.SlotWords)
	ring[0], ring[2*tasks.SlotWords] = uint32(tasks.Done), uint32(tasks.Done)
	for n, want := range []uint64{0, 1, 1, 2} {
		if got, err := peer.CountDone(ring, uint64(n)); got != want || err != nil {
			t.Errorf("first %d: %d, %v", n, got, err)
		}
	}
	_, err := peer.CountDone(ring, 4)
	fails(t, "more slots than there are", err, peer.ErrMissingWord)
	_, err = peer.CountDone(ring, math.MaxUint64)
	fails(t, "more slots than can be", err, peer.ErrTooLong)
}

func TestLoadMiss(t *testing.T) {
	for _, m := range []peer.LoadMiss{{Resource: 5}, {Resource: math.MaxUint32, Prefetch: true}} {
		w := m.Encode()
		if back, ok := peer.DecodeLoadMiss(w[:], 0); back != m || !ok || tasks.State(w[0]) != tasks.Ready {
			t.Errorf("%+v became %+v, %v", m, back, ok)
		}
		if _, ok := peer.DecodeLoadMiss(w[:], 1); ok {
			t.Error("a slot behind the ring was decoded")
		}
		if _, ok := peer.DecodeLoadMiss(w[:], math.MaxUint32); ok {
			t.Error("slot 2^32-1 was decoded")
		}
	}
	if _, ok := peer.DecodeLoadMiss(make([]uint32, tasks.SlotWords), 0); ok {
		t.Error("an empty slot was decoded")
	}
}

func TestReadLog(t *testing.T) {
	words := []uint32{8, 1, 2, 3, 4, 5, 6, 7, 8, 99}
	log, err := peer.ReadLog(words)
	want := []peer.LogRecord{{1, 2, 3, 4}, {5, 6, 7, 8}}
	if err != nil || log.Len() != 2 || !slices.Equal(log.AppendTo(nil), want) {
		t.Errorf("%v, %v", log.AppendTo(nil), err)
	}
	if log.At(1) != want[1] {
		t.Errorf("record 1: %v", log.At(1))
	}
	if out := log.AppendTo(want[:1:1]); len(out) != 3 || out[0] != want[0] || out[2] != want[1] {
		t.Errorf("appended: %v", out)
	}
	tests := []struct {
		name  string
		words []uint32
		kind  error
	}{
		{"no cursor", nil, peer.ErrMissingWord}, {"half a record", []uint32{2, 0, 0, 0, 0}, peer.ErrMisaligned},
		{"cursor behind the buffer", []uint32{8, 1, 2, 3, 4}, peer.ErrMissingWord}, {"cursor near 2^32", []uint32{math.MaxUint32 - 3, 1}, peer.ErrMissingWord},
	}
	for _, tt := range tests {
		_, err := peer.ReadLog(tt.words)
		fails(t, tt.name, err, tt.kind)
	}
}

func TestStatusChanges(t *testing.T) {
	legal := map[peer.StatusChange]string{peer.Claim: ".2...22..", peer.Finish: "..3......", peer.Fail: ".77.777..", peer.Cancel: ".0..000..", "publish": "........."}
	for change, want := range legal {
		for from := range uint32(9) {
			to, err := change.Apply(from)
			if want[from] == '.' {
				fails(t, string(change), err, peer.ErrPublish)
			} else if err != nil || uint32(to) != uint32(want[from]-'0') {
				t.Errorf("%s from %d: %v, %v", change, from, to, err)
			}
		}
	}
}

func TestScheduler(t *testing.T) {
	if got := peer.DefaultPriorityOffsets(13); got != [6]uint32{0, 2, 4, 9, 11, 13} {
		t.Errorf("13 slots: %v", got)
	}
	if got := peer.DefaultPriorityOffsets(math.MaxUint32); got[5] != math.MaxUint32 {
		t.Errorf("2^32-1 slots: %v", got)
	}
	control := make([]uint32, 135)
	if err := peer.WriteDefaultPriorityOffsets(control, 10); err != nil || !slices.Equal(control[129:], []uint32{0, 2, 4, 6, 8, 10}) {
		t.Errorf("%v, %v", control[129:], err)
	}
	short := make([]uint32, 134)
	fails(t, "short control", peer.WriteDefaultPriorityOffsets(short, 10), peer.ErrMissingWord)
	if slices.Max(short) != 0 {
		t.Error("a short control buffer was written")
	}
	probes := []struct{ slots, width, count, lanes, budget uint32 }{
		{0, 4, 0, 0, 0}, {10, 4, 3, 4, 12}, {3, 4, 1, 3, 3}, {5, 0, 5, 1, 5}, {math.MaxUint32, 1 << 31, 2, 1 << 31, math.MaxUint32},
	}
	for _, p := range probes {
		if n, l, b := peer.ProbeCount(p.slots, p.width), peer.ActiveLanes(p.slots, p.width), peer.ProbeBudget(p.slots, p.width); n != p.count || l != p.lanes || b != p.budget {
			t.Errorf("%d slots by %d: %d, %d, %d", p.slots, p.width, n, l, b)
		}
	}
}

// FuzzReaders: no bytes make a reader panic, and every error says what to do.
func FuzzReaders(f *testing.F) {
	f.Add([]byte{}, uint32(0), uint64(0))
	f.Add(make([]byte, 64), uint32(1), uint64(math.MaxUint64))
	f.Add([]byte{4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}, uint32(math.MaxUint32), uint64(1))
	f.Fuzz(func(t *testing.T, b []byte, index uint32, items uint64) {
		words, err := peer.Words("control", b)
		errs := []error{err}
		_, err = peer.DoneCount(words)
		errs = append(errs, err)
		_, err = peer.Observable(words, index)
		errs = append(errs, err)
		_, err = peer.Metrics(words)
		errs = append(errs, err)
		_, err = peer.CountDone(words, items)
		errs = append(errs, err, peer.WriteDefaultPriorityOffsets(slices.Clone(words), index))
		log, err := peer.ReadLog(words)
		errs = append(errs, err)
		if got := len(log.AppendTo(nil)); got != log.Len() {
			t.Errorf("%d records, want %d", got, log.Len())
		}
		peer.DecodeLoadMiss(words, index)
		for _, err := range errs {
			if err != nil && (!errors.Is(err, megakernel.ErrFormat) || !strings.Contains(err.Error(), "Fix: ")) {
				t.Errorf("%v", err)
			}
		}
	})
}

// BenchmarkDebugLog1M is the goal "debug log decode of 1 M records": 1.2 ms, no allocation.
func BenchmarkDebugLog1M(b *testing.B) {
	words, err := peer.EmptyLog(1_000_000)
	if err != nil {
		b.Fatal(err)
	}
	words[0] = uint32(len(words) - 1)
	dst := make([]peer.LogRecord, 0, 1_000_000)
	b.ReportAllocs()
	b.SetBytes(int64(4 * len(words)))
	for b.Loop() {
		log, err := peer.ReadLog(words)
		if err != nil {
			b.Fatal(err)
		}
		dst = log.AppendTo(dst[:0])
	}
}
