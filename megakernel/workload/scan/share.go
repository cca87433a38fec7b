package scan

import (
	"context"

	"vyretop/megakernel/workload"
)

var _ workload.Sharer = (*Scan)(nil)

// shared is a scan that several hosts do together: each file is searched by one of them.
type shared struct {
	hosts int
	units *workload.Units
	files []*file // by unit; a file that was lost with its host is searched again from its beginning
	feed  *workload.Feed
}

// shareFiles is how many files a host takes at a time.
const shareFiles = 256

// Share implements workload.Sharer.
func (s *Scan) Share(hosts int) { s.shared = &shared{hosts: hosts} }

// order lists the files as units, once they are known.
func (s *Scan) order() {
	if s.shared == nil {
		return
	}
	s.shared.files = s.inOrder()
	for i, f := range s.shared.files {
		f.unit = i
	}
	s.shared.units = workload.NewUnits(len(s.shared.files), s.shared.hosts)
	s.shared.units.Feed(s.shared.feed)
}

// RunShare implements workload.Sharer.
func (s *Scan) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, err := newRunner(s, h)
	if err != nil {
		return err
	}
	r.units, r.part = s.shared.units, part
	r.stride, r.lastID = uint32(s.shared.hosts), uint32(part.Host+1)
	return r.search(ctx, cancel)
}

// refill takes files where several hosts search, as long as this one has few in flight: it leaves the rest to the others.
func (r *runner) refill() {
	if r.units == nil || len(r.queue)+len(r.batch) > 0 || r.next() != nil || len(r.entries)-len(r.unused) > 2*r.part.Workers {
		return
	}
	for _, unit := range r.units.Take(r.part.Host, 1, shareFiles) {
		r.queue = append(r.queue, r.scan.shared.files[unit])
	}
}

// Lose implements workload.Sharer.
func (s *Scan) Lose(host int) int {
	return len(s.shared.units.Lose(host, func(unit int) {
		f := s.shared.files[unit]
		s.found.Add(-int64(len(f.matches)))
		f.matches, f.read, f.checksum = nil, 0, 0
	}))
}

// Joined implements workload.Sharer.
func (s *Scan) Joined() error { return s.finish() }
