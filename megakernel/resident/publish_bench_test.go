package resident_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// publishTurn is how many tasks are published before their completions are collected, off the clock: as
// many as there is room for.
const publishTurn = 4096

// BenchmarkPublish is the host's time for a task that is published alone and in a batch, by one and by
// several goroutines, while the kernel runs. slot-write is what it takes to write as many tasks into
// host-visible memory, with a bell for each batch and nothing else: the least that publishing can cost.
func BenchmarkPublish(b *testing.B) {
	benchEach(b, func(b *testing.B, be engine.Backend) {
		for _, batch := range []int{1, 64} {
			b.Run(fmt.Sprintf("slot-write/batch=%d", batch), func(b *testing.B) { slotWrite(b, be, batch) })
			for _, goroutines := range []int{1, 4} {
				b.Run(fmt.Sprintf("publish/batch=%d/goroutines=%d", batch, goroutines), func(b *testing.B) { publishing(b, be, batch, goroutines) })
			}
		}
	})
}

func slotWrite(b *testing.B, be engine.Backend, batch int) {
	buf, err := be.Allocate(b.Context(), "slot writes", megakernel.InboxWords(publishTurn), engine.HostVisible)
	if err != nil {
		b.Fatal(err)
	}
	defer buf.Free()
	words, ts := buf.Words(), work(publishTurn, nil)
	b.ResetTimer()
	for n := 0; n < b.N; n += batch {
		for i := range batch {
			at := (n + i) % publishTurn
			engine.PutStruct(words, megakernel.InboxEntries+at*tasks.SlotWords, &ts[at])
		}
		words.Store(megakernel.InboxTasks, uint32(n))
	}
}

func publishing(b *testing.B, be engine.Backend, batch, goroutines int) {
	k := assembleWith(b, be, kernel.Config{WorkgroupSize: 8, NoEvents: true, Slots: 2 * publishTurn, InboxTasks: publishTurn, Completions: publishTurn}, endless, "work", "once")
	s := start(b, be, k, resident.Options{Workers: 1, Log: resident.NoLog})
	ts := work(publishTurn, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 })
	out := make([]megakernel.Completion, 0, publishTurn)
	turn := func() (took time.Duration) {
		for i := range ts {
			ts[i].TaskID = 0
		}
		began := time.Now()
		var all sync.WaitGroup
		for part := range goroutines - 1 {
			all.Go(func() { publishPart(b, s, ts[part*publishTurn/goroutines:][:publishTurn/goroutines], batch) })
		}
		publishPart(b, s, ts[(goroutines-1)*publishTurn/goroutines:], batch)
		all.Wait()
		took = time.Since(began)
		for collected := 0; collected < publishTurn; collected += len(out) {
			var err error
			if out, err = s.Collect(b.Context(), out[:0]); err != nil {
				b.Fatal(err)
			}
		}
		return took
	}
	turn()
	b.ReportAllocs()
	b.ResetTimer()
	var turns []time.Duration
	for n := 0; n < b.N; n += publishTurn {
		turns = append(turns, turn())
	}
	slices.Sort(turns)
	b.ReportMetric(float64(turns[len(turns)/2].Nanoseconds())/publishTurn, "ns/task")
	b.ReportMetric(float64(turns[0].Nanoseconds())/publishTurn, "best-ns/task")
	b.ReportMetric(0, "ns/op")
}

func publishPart(b *testing.B, s *resident.Session, ts []tasks.Task, batch int) {
	for len(ts) > 0 {
		n := min(batch, len(ts))
		if err := s.Publish(b.Context(), ts[:n]); err != nil {
			b.Error(err)
			return
		}
		ts = ts[n:]
	}
}
