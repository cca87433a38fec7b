package vitals

import (
	"sync"
	"sync/atomic"
	"time"
)

// Source reads the devices of a host. Its methods are called from one goroutine at a time.
type Source interface {
	// Read reads all devices. What a device does not tell is left out.
	Read() []Device
	// Close frees what was opened for reading.
	Close()
}

// Opener makes a Source. It may take long; ok is false where the host has none.
type Opener func() (s Source, ok bool)

// Period is the time from one reading to the next.
const Period = time.Second

// Sampler polls a source until it is closed.
type Sampler struct {
	latest atomic.Pointer[Reading]
	quit   chan struct{}
	done   sync.WaitGroup
}

// Sample opens a source and reads it at once, and then for each tick, or each Period where tick is nil. mark is
// applied to the devices of each reading before it is published.
func Sample(open Opener, tick <-chan time.Time, mark func([]Device)) *Sampler {
	s := &Sampler{quit: make(chan struct{})}
	s.done.Go(func() { s.run(open, tick, mark) })
	return s
}

func (s *Sampler) run(open Opener, tick <-chan time.Time, mark func([]Device)) {
	source, ok := open()
	if !ok {
		return
	}
	defer source.Close()
	if tick == nil {
		t := time.NewTicker(Period)
		defer t.Stop()
		tick = t.C
	}
	for {
		if devices := source.Read(); len(devices) > 0 {
			mark(devices)
			s.latest.Store(&Reading{devices})
		}
		select {
		case <-tick:
		case <-s.quit:
			return
		}
	}
}

// Latest is the newest reading, or nil before the first. s may be nil.
func (s *Sampler) Latest() *Reading {
	if s == nil {
		return nil
	}
	return s.latest.Load()
}

// Close ends the polling and closes the source. s may be nil.
func (s *Sampler) Close() {
	if s == nil {
		return
	}
	close(s.quit)
	s.done.Wait()
}
