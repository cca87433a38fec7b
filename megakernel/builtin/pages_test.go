package builtin_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// sums are handlers that read pages. `sum` adds up the words of page input_handle; `walk` goes through
// param pages from input_handle on, has each next one read ahead, and leaves the sum of their bytes' words.
const sums = `
uint sum_words(uint at, uint page) {
    uint sum = 0u;
    for (uint i = 0u; i < (page_bytes(page) + 3u) / 4u; ++i) { sum = sum * 31u + io_words[at + i]; }
    return sum;
}
void sum(inout Task t) {
    uint at = page_hold(t.input_handle, PAGE_NONE);
    if (at == PAGE_NONE) { page_wait(t, 0u, 0u); return; }
    t.output_handle = sum_words(at, t.input_handle);
    page_drop(t.input_handle);
}
void walk(inout Task t) {
    uint at = page_hold(t.input_handle, t.param > 1u ? t.input_handle + 1u : PAGE_NONE);
    if (at == PAGE_NONE) { page_wait(t, 0u, 0u); return; }
    t.output_handle = t.output_handle * 17u + sum_words(at, t.input_handle);
    page_drop(t.input_handle);
    t.input_handle++;
    t.param--;
    if (t.param == 0u) { return; }
    task_yield(t, 1u, 0u);
}
`

const (
	opSum  = 0x100
	opWalk = 0x101

	pageBytes = 64
)

// book is a folder of files, cut into pages.
type book struct {
	files ioservice.Files
	pages []megakernel.Page
	sums  []uint32 // of each page
}

func newBook(t testing.TB, rng *rand.Rand, files int) *book {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	b := &book{files: ioservice.Files{Root: root}}
	for i := range files {
		text := make([]byte, rng.IntN(10*pageBytes))
		for j := range text {
			text[j] = byte(rng.Uint32())
		}
		b.files.Names = append(b.files.Names, string(rune('a'+i)))
		if err := os.WriteFile(filepath.Join(dir, b.files.Names[i]), text, 0o600); err != nil {
			t.Fatal(err)
		}
		from := len(b.pages)
		b.pages = ioservice.Cut(b.pages, uint32(i), int64(len(text)), pageBytes)
		for _, p := range b.pages[from:] {
			b.sums = append(b.sums, sumOf(text[p.Offset:][:p.Bytes]))
		}
	}
	return b
}

// sumOf is sum_words of a page.
func sumOf(text []byte) (sum uint32) {
	padded := append(slices.Clone(text), 0, 0, 0)
	for i := 0; i < len(text); i += 4 {
		sum = sum*31 + binary.LittleEndian.Uint32(padded[i:])
	}
	return sum
}

func (b *book) start(t testing.TB, backend engine.Backend, frames, workers int, events func(kind, text string)) *resident.Session {
	return startWith(t, backend, resident.Options{
		Workers: workers, Activation: 600, Events: events,
		Pages: &ioservice.Pages{List: b.pages, Frames: frames, Bytes: pageBytes, Source: b.files},
	})
}

// TestPagesAreReadOnAMiss: tasks ask for random pages, with few frames and with many, each more than once,
// also ahead of need, and all see what the files hold.
func TestPagesAreReadOnAMiss(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for seed, frames := range []int{1, 2, 7, megakernel.MaxFrames} {
			rng := rand.New(rand.NewPCG(uint64(seed), 7))
			book := newBook(t, rng, 20)
			s := book.start(t, b, frames, 1+seed, nil)
			ts := make([]tasks.Task, min(30*frames, 300)) // each that waits looks for every frame that becomes free
			want := map[uint32]uint32{}
			for i := range ts {
				ts[i], want[uint32(i+1)] = book.draw(rng)
				ts[i].TaskID = uint32(i + 1)
			}
			for id, got := range finish(t, s, ts) {
				if ts[id-1].Opcode != megakernel.OpcodeLoadMiss && got.Output != want[id] || got.State != tasks.Done {
					t.Fatalf("%d frames: task %+v ended as %+v, want %d", frames, ts[id-1], got, want[id])
				}
			}
			stats := s.PageStats()
			if stats.Failed != 0 || stats.Reads < uint64(min(len(book.pages), frames)) || frames == megakernel.MaxFrames && stats.Reads > uint64(len(book.pages)) {
				t.Errorf("%d frames: %+v of %d pages", frames, stats, len(book.pages))
			}
		}
	})
}

// draw makes a task for random pages, and what it is to find.
func (b *book) draw(rng *rand.Rand) (tasks.Task, uint32) {
	page := uint32(rng.IntN(len(b.pages)))
	switch rng.IntN(4) {
	case 0:
		return operation(megakernel.OpcodeLoadMiss, page, uint32(rng.IntN(2))), 0
	case 1:
		n, sum := 1+rng.IntN(min(5, len(b.pages)-int(page))), uint32(0)
		for i := range n {
			sum = sum*17 + b.sums[int(page)+i]
		}
		return operation(opWalk, page, 0, uint32(n)), sum
	}
	return operation(opSum, page), b.sums[page]
}

// finish publishes tasks and collects their ends by id.
func finish(t testing.TB, s *resident.Session, ts []tasks.Task) map[uint32]megakernel.Completion {
	ctx := deadline(t)
	var published sync.WaitGroup
	published.Go(func() {
		if err := s.Publish(ctx, slices.Clone(ts)); err != nil {
			t.Error(err)
		}
	})
	defer published.Wait()
	ended := map[uint32]megakernel.Completion{}
	for len(ended) < len(ts) {
		cs, err := s.Collect(ctx, nil)
		if err != nil {
			t.Fatalf("after %d of %d: %v, %+v", len(ended), len(ts), err, s.Summary())
		}
		for _, c := range cs {
			if _, twice := ended[c.Task]; twice {
				t.Errorf("task %d ended twice", c.Task)
			}
			ended[c.Task] = c
		}
	}
	return ended
}

// TestPagesThatCannotBeHad: each faults its task with a code of its own, again when it is asked for again,
// and the host is told why; other pages are not disturbed.
func TestPagesThatCannotBeHad(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		book := newBook(t, rand.New(rand.NewPCG(3, 3)), 4)
		vanished, truncated := uint32(len(book.pages)), uint32(len(book.pages)+1)
		book.pages = append(book.pages, megakernel.Page{Source: 4, Bytes: 4}, megakernel.Page{Source: 0, Offset: 1 << 40, Bytes: 4})
		var mu sync.Mutex
		var told []string
		s := book.start(t, b, 3, 2, func(kind, text string) {
			mu.Lock()
			defer mu.Unlock()
			if kind == "error" {
				told = append(told, text)
			}
		})
		tests := []struct {
			page uint32
			code megakernel.FaultCode
		}{
			{vanished, megakernel.FaultRead}, {truncated, megakernel.FaultShortRead}, {truncated + 1, megakernel.FaultPage},
			{1 << 31, megakernel.FaultPage}, {^uint32(0), megakernel.FaultPage}, {0, 0},
		}
		var ts []tasks.Task
		for range 5 {
			for _, tt := range tests {
				ts = append(ts, operation(megakernel.OpcodeLoadMiss, tt.page), operation(opSum, tt.page))
			}
		}
		for i := range ts {
			ts[i].TaskID = uint32(i + 1)
		}
		for id, got := range finish(t, s, ts) {
			if want := tests[(id-1)/2%uint32(len(tests))].code; want == 0 && got.State != tasks.Done || want != 0 && got.Code != uint32(want) {
				t.Errorf("page %#x: %s with %s, want %s", ts[id-1].InputHandle, got.State, megakernel.FaultCode(got.Code), want)
			}
		}
		mu.Lock()
		if stats := s.PageStats(); stats.Failed != 2 || len(told) != 2 {
			t.Errorf("%+v, told %q", stats, told)
		}
		mu.Unlock()
		if got := one(t, s, operation(megakernel.OpcodeLoadMiss, vanished, 1)); got.State != tasks.Done {
			t.Errorf("asking ahead of need for a page that failed: %+v", got)
		}
	})
}

// TestTasksThatWaitForPagesArePaused: while the host reads, the kernel is parked and the task is paused; a
// drain waits for both.
func TestTasksThatWaitForPagesArePaused(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		source := held{began: make(chan struct{}), release: make(chan struct{})}
		s := startWith(t, b, resident.Options{Workers: 1, Pages: &ioservice.Pages{
			List: []megakernel.Page{{Bytes: 8}}, Frames: 1, Bytes: 8, Source: source,
		}})
		if err := s.Publish(deadline(t), []tasks.Task{operation(opSum, 0)}); err != nil {
			t.Fatal(err)
		}
		<-source.began
		for ctx := deadline(t); s.Phase() != megakernel.PhaseParked; backendtest.Breathe() {
			if ctx.Err() != nil {
				t.Fatalf("the kernel is %s while its only task waits", s.Phase())
			}
		}
		if byState, _ := s.Snapshot().StateCounts(); byState[tasks.Paused] != 1 {
			t.Errorf("slots by state %v", byState)
		}
		short, cancel := context.WithCancel(t.Context())
		drained := make(chan error)
		go func() { drained <- s.Drain(short) }()
		cancel()
		if err := <-drained; !errors.Is(err, context.Canceled) {
			t.Errorf("the drain ended with %v while a task waited for a page", err)
		}
		close(source.release)
		collect(t, s, 1)
		if err := s.Drain(deadline(t)); err != nil {
			t.Error(err)
		}
	})
}

// held is a Source that says when it reads, and waits until it is released.
type held struct{ began, release chan struct{} }

func (h held) Name(uint32) string { return "held" }
func (h held) ReadPage(_ uint32, p []byte, _ int64) (int, error) {
	close(h.began)
	<-h.release
	return len(p), nil
}

// TestImpossiblePages: what no kernel can have is refused at the start.
func TestImpossiblePages(t *testing.T) {
	b := backendtest.All["reference"](t)
	source := held{}
	page := []megakernel.Page{{Bytes: 64}}
	for name, p := range map[string]*ioservice.Pages{
		"no frame":        {List: page, Bytes: 64, Source: source},
		"too many frames": {List: page, Frames: megakernel.MaxFrames + 1, Bytes: 64, Source: source},
		"half a word":     {List: page, Frames: 1, Bytes: 66, Source: source},
		"no size":         {Frames: 1, Source: source},
		"a long page":     {List: page, Frames: 1, Bytes: 60, Source: source},
		"an empty page":   {List: make([]megakernel.Page, 1), Frames: 1, Bytes: 64, Source: source},
		"short budget":    {List: page, Frames: megakernel.MaxFrames, Bytes: 64, Source: source},
		"too much memory": {Frames: megakernel.MaxFrames, Bytes: 1 << 30, Source: source},
	} {
		if _, err := tryStart(t, b, resident.Options{Pages: p, Activation: 400}); !errors.Is(err, resident.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
