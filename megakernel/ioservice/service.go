package ioservice

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// parallel is how many requests are served at a time: on a large host half of its processors, as a kernel may run there, too.
var parallel = max(4, runtime.NumCPU()/2)

// Requests often follow one another: for that long the service only yields its processor between two looks
// at the queue. Then it sleeps between them, because it must not take a processor from a kernel that runs on it.
const (
	spin = 200 * time.Microsecond
	nap  = time.Millisecond
)

// Service serves one IO buffer. Its counters may be read at any time from any goroutine.
type Service struct {
	words  engine.Words
	layout megakernel.PageLayout
	source Source
	notify func()
	report func(error)

	buffers [][]byte // one for each of the requests that are served at a time

	active        atomic.Bool
	reads, failed atomic.Uint64
	bytes         atomic.Uint64
}

// Stats counts answers.
type Stats struct {
	Reads  uint64 // pages read
	Bytes  uint64 // in them
	Failed uint64 // requests answered with an error
}

// New makes a service for the mapped words of an IO buffer. notify is called after answers, once for all that
// came together; report is told of errors. Both are called from Run's goroutine or one that it waits for, and
// report from several at a time.
func New(words engine.Words, p *Pages, notify func(), report func(error)) *Service {
	s := &Service{words: words, layout: p.Layout(), source: p.Source, notify: notify, report: report}
	for range parallel {
		s.buffers = append(s.buffers, make([]byte, 4*s.layout.FrameWords))
	}
	return s
}

// Stats returns the counters.
func (s *Service) Stats() Stats {
	return Stats{Reads: s.reads.Load(), Bytes: s.bytes.Load(), Failed: s.failed.Load()}
}

// Busy reports whether something waits for an answer, or for the notice of one. No kernel is running.
func (s *Service) Busy() bool {
	for slot := range megakernel.IOSlots {
		switch s.words.Load(slot*megakernel.IOWords + megakernel.IOStatus) {
		case megakernel.IOPublished, megakernel.IOClaimed:
			return true
		}
	}
	return s.active.Load()
}

// Run serves until ctx ends, and what it has begun to the end of that.
func (s *Service) Run(ctx context.Context) {
	timer := time.NewTimer(nap)
	defer timer.Stop()
	for served := time.Now(); ctx.Err() == nil; {
		if s.pass(ctx) {
			served = time.Now()
			continue
		}
		if time.Since(served) < spin {
			runtime.Gosched()
			continue
		}
		timer.Reset(nap)
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// pass serves what is published now, and reports whether that was anything.
func (s *Service) pass(ctx context.Context) bool {
	var reads, fences []int
	for slot := range megakernel.IOSlots {
		at := slot * megakernel.IOWords
		if s.words.Load(at+megakernel.IOStatus) != megakernel.IOPublished {
			continue
		}
		s.active.Store(true) // before the slot is answered, and until the notice
		s.words.Store(at+megakernel.IOStatus, megakernel.IOClaimed)
		if s.words.Load(at+megakernel.IOOp) == megakernel.IOFence {
			fences = append(fences, slot)
		} else {
			reads = append(reads, slot)
		}
	}
	if !s.active.Load() {
		return false
	}
	s.serve(ctx, reads)
	for _, slot := range fences {
		if ctx.Err() != nil {
			s.giveBack(slot)
			continue
		}
		s.answer(slot, megakernel.IOOK, 0)
	}
	s.notify()
	s.active.Store(false)
	return true
}

// serve serves slots, as many at a time as there are buffers.
func (s *Service) serve(ctx context.Context, slots []int) {
	var next atomic.Int64
	var served sync.WaitGroup
	for _, buffer := range s.buffers[:min(len(s.buffers), len(slots))] {
		served.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(slots) {
					return
				}
				s.serveOne(ctx, slots[i], buffer)
			}
		})
	}
	served.Wait()
}

func (s *Service) serveOne(ctx context.Context, slot int, buffer []byte) {
	if ctx.Err() != nil {
		s.giveBack(slot)
		return
	}
	r := s.request(slot)
	if code, err := s.read(&r, buffer); err != nil {
		s.failed.Add(1)
		s.report(err)
		s.answer(slot, megakernel.IOError, uint32(code))
		return
	}
	s.reads.Add(1)
	s.bytes.Add(uint64(r.Bytes))
	s.answer(slot, megakernel.IOOK, r.Bytes)
}

// request reads a slot that is claimed.
func (s *Service) request(slot int) megakernel.IORequest {
	w := s.words[slot*megakernel.IOWords:]
	return megakernel.IORequest{
		Op: w.Load(megakernel.IOOp), Src: w.Load(megakernel.IOSrc), Dst: w.Load(megakernel.IODst),
		Offset: uint64(w.Load(megakernel.IOOffsetHi))<<32 | uint64(w.Load(megakernel.IOOffsetLo)),
		Bytes:  w.Load(megakernel.IOBytes), Status: megakernel.IOClaimed, Tag: w.Load(megakernel.IOTag),
	}
}

// giveBack leaves a request that is claimed to the service that serves the queue next.
func (s *Service) giveBack(slot int) {
	s.words.Store(slot*megakernel.IOWords+megakernel.IOStatus, megakernel.IOPublished)
}

// answer writes the status last: that is what makes the frame visible to the device.
func (s *Service) answer(slot int, status, bytes uint32) {
	s.words.Store(slot*megakernel.IOWords+megakernel.IOBytes, bytes)
	s.words.Store(slot*megakernel.IOWords+megakernel.IOStatus, status)
}

// read puts a page into its frame. The code is what the device is told of the error.
func (s *Service) read(r *megakernel.IORequest, buffer []byte) (megakernel.FaultCode, error) {
	fail := func(code megakernel.FaultCode, detail string, cause error, fix string) (megakernel.FaultCode, error) {
		subject := fmt.Sprintf("%s: %d bytes from %d on", s.source.Name(r.Src), r.Bytes, r.Offset)
		return code, &fault.Error{Kind: ErrRequest, Subject: subject, Detail: detail, Cause: cause, Fix: fix}
	}
	switch {
	case r.Op != megakernel.IORead:
		return fail(megakernel.FaultRequest, fmt.Sprintf("operation %d is none that is served", r.Op), nil, "ask for READ 1 or FENCE 3")
	case int64(r.Dst) >= int64(s.layout.Frames):
		return fail(megakernel.FaultRequest, fmt.Sprintf("frame %d does not exist", r.Dst), nil, fmt.Sprintf("use a frame below %d", s.layout.Frames))
	case r.Bytes == 0 || uint64(r.Bytes) > uint64(len(buffer)):
		return fail(megakernel.FaultRequest, "it does not fit a frame", nil, fmt.Sprintf("ask for 1 to %d bytes", len(buffer)))
	case r.Offset > math.MaxInt64-uint64(r.Bytes):
		return fail(megakernel.FaultRequest, "no file is that long", nil, "use an offset below 2^63")
	}
	n, err := s.source.ReadPage(r.Src, buffer[:r.Bytes], int64(r.Offset))
	switch {
	case err != nil:
		return fail(megakernel.FaultRead, "it cannot be read", err, "make the file readable, or leave it out of the run")
	case n < int(r.Bytes):
		return fail(megakernel.FaultShortRead, fmt.Sprintf("the file ends after %d of them", n), nil, "run again while no other program changes the file")
	}
	clear(buffer[n : (n+3)&^3])
	frame := s.words[s.layout.FrameAt(int(r.Dst)):]
	for i := 0; i < n; i += 4 {
		frame[i/4] = binary.LittleEndian.Uint32(buffer[i:]) // no other request is for this frame, and the device reads it behind the status
	}
	return 0, nil
}
