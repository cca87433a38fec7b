package scan

import (
	"context"
	"runtime"
	"sync"

	"vyretop/engine"
)

// maxReaders bounds the goroutines that read files.
const maxReaders = 32

// fewPieces is how many pieces the runner reads itself before it looks at the ring again.
const fewPieces = 16

// readers read pieces, straight into their blocks, on goroutines of their own. Where there are no more than two processors, the runner
// does it: goroutines would only take turns with it and, of a software device, with the kernel.
type readers struct {
	scan    *Scan
	layout  layout
	text    engine.Words
	jobs    chan *piece
	read    chan *piece
	own     []byte // the runner's buffer, nil where there are goroutines
	running sync.WaitGroup
}

// readersHere is how many goroutines read files on this machine: one for each processor but one, which is left to the runner.
func readersHere() int {
	n := runtime.GOMAXPROCS(0)
	if n <= 2 {
		return 0
	}
	return min(n-1, maxReaders)
}

// startReaders starts the goroutines. Neither channel is ever full.
func startReaders(ctx context.Context, s *Scan, l layout, text engine.Words) *readers {
	r := &readers{scan: s, layout: l, text: text, jobs: make(chan *piece, l.entries), read: make(chan *piece, l.entries)}
	if s.readers == 0 {
		r.own = r.buffer()
	}
	for range s.readers {
		r.running.Go(func() { r.run(ctx) })
	}
	return r
}

// buffer has a block's bytes of text.
func (r *readers) buffer() []byte {
	return make([]byte, r.layout.block*r.scan.automaton.granuleBytes())
}

func (r *readers) run(ctx context.Context) {
	buf := r.buffer()
	for {
		select {
		case p := <-r.jobs:
			r.piece(p, buf)
		case <-ctx.Done():
			return
		}
	}
}

func (r *readers) piece(p *piece, buf []byte) {
	words := r.layout.block * granuleWords
	p.read(r.scan, buf, r.text[p.index*words:][:words])
	r.read <- p
}

// few reads some pieces where no goroutine does.
func (r *readers) few() {
	for range fewPieces {
		if r.own == nil || len(r.jobs) == 0 {
			return
		}
		r.piece(<-r.jobs, r.own)
	}
}

// wait returns when nothing is read; the context must be cancelled first.
func (r *readers) wait() { r.running.Wait() }
