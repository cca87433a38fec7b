package run

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/workload"
)

// hostInputs records what the host gives a run beside tasks and commands: words that the workload writes into buffers, and pages of files
// that tasks have asked for; and what the buffers held where the epoch was advanced.
type hostInputs struct {
	recorder atomic.Pointer[fixtures.Writer] // nil: nothing is recorded
	began    time.Time
	left     atomic.Int64 // bytes
	over     sync.Once
	writes   bool // the workload tells of what it writes
	states   epochStates
}

// mostHostInputs bounds what is recorded of either, in bytes.
const mostHostInputs = 4 * fixtures.KeptOfAll

// begin has a recording take the inputs from now on, if it is to have all of them.
func (h *hostInputs) begin(w *fixtures.Writer, s *fixtures.Start, began time.Time) {
	if s.Incomplete == "" {
		h.began = began
		h.left.Store(mostHostInputs)
		h.recorder.Store(w)
	}
}

// room takes bytes of what is left to record. Where that is used up, the recording says so, once.
func (h *hostInputs) room(w *fixtures.Writer, bytes int) bool {
	if h.left.Add(-int64(bytes)) >= 0 {
		return true
	}
	h.over.Do(func() {
		at := time.Since(h.began)
		w.Missing(fixtures.Gap{From: at, To: at, Inputs: 1, Cause: fixtures.LimitKind})
	})
	return false
}

func (h *hostInputs) wrote(name string, first int, words []uint32) {
	if w := h.recorder.Load(); w != nil && h.room(w, 4*len(words)) {
		w.Wrote(time.Since(h.began), name, first, words)
	}
}

// recording reports whether inputs are recorded.
func (h *hostInputs) recording() bool { return h.recorder.Load() != nil }

// pages is what a run reads pages from: each page is recorded when it is read for the first time.
type pages struct {
	ioservice.Source
	to   *hostInputs
	mu   sync.Mutex
	seen map[fixtures.PageOf]bool
}

// recordPages has the pages of a setup recorded.
func (h *hostInputs) recordPages(setup *workload.Setup) {
	if p := setup.Pages; p != nil {
		recorded := *p
		recorded.Source = &pages{Source: p.Source, to: h, seen: map[fixtures.PageOf]bool{}}
		setup.Pages = &recorded
	}
}

// ReadPage implements ioservice.Source.
func (p *pages) ReadPage(file uint32, b []byte, offset int64) (int, error) {
	n, err := p.Source.ReadPage(file, b, offset)
	w := p.to.recorder.Load()
	if w == nil {
		return n, err
	}
	of := fixtures.PageOf{File: file, Offset: uint64(offset)}
	p.mu.Lock()
	known := p.seen[of]
	p.seen[of] = true
	p.mu.Unlock()
	if !known && p.to.room(w, n) {
		w.Page(time.Since(p.to.began), fixtures.PageRead{File: file, Offset: of.Offset, Bytes: b[:n], Failed: err != nil})
	}
	return n, err
}

// startPages is what a recording says of the pages that tasks may ask for.
func startPages(s *fixtures.Start, p *ioservice.Pages) {
	bytes := int64(0)
	for _, page := range p.List {
		bytes += int64(page.Bytes)
	}
	switch {
	case bytes > mostHostInputs:
		s.Incomplete = fmt.Sprintf("its tasks may read %d MiB of files, and at most %d MiB are recorded", bytes>>20, mostHostInputs>>20)
	case len(p.List) > fixtures.MaxStartPages:
		s.Incomplete = fmt.Sprintf("its tasks may read %d pages of files, and at most %d are recorded", len(p.List), fixtures.MaxStartPages)
	default:
		s.Pages = &fixtures.StartPages{List: p.List, Frames: p.Frames, Bytes: p.Bytes}
	}
}
