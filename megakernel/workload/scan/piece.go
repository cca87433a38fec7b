package scan

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sort"

	"vyretop/engine"
)

// piece is the text of one task: a part of a file, or several files, one after the other.
type piece struct {
	index    int // of its entry, and so of its block
	lanes    int // of a worker, for which it is made
	segments []*segment
	shape    shape
	own      int // first granule in which a match may end

	drained uint32 // records drained so far
	ended   bool   // its task has ended, and wrote expect records
	expect  uint32
}

// name says whose text it is.
func (p *piece) name() string {
	first := p.segments[0].flight.file.path
	if n := len(p.segments) - 1; n > 0 {
		return fmt.Sprintf("%s and %d more", first, n)
	}
	return first
}

// read fills a buffer with the text of the segments, and encodes it. buf has a block's bytes.
func (p *piece) read(s *Scan, buf []byte, block engine.Words) {
	at, size := 0, s.automaton.granuleBytes()
	for _, seg := range p.segments {
		at = seg.read(s, buf, at)
	}
	p.own = p.segments[0].first
	p.shape = shapeOf(at, columns(at, p.lanes))
	s.automaton.encode(block, buf[:at*size], p.shape)
}

// read reads the segment, and what precedes it in the file, into a buffer from a granule on, and returns the granule after it. Its own
// bytes begin with a granule, and at least one byte follows them that is in no pattern.
func (s *segment) read(scan *Scan, buf []byte, at int) int {
	s.first, s.end = at, at
	source, err := s.flight.open(scan.tree)
	if err != nil {
		s.failed = err
		return at
	}
	size := scan.automaton.granuleBytes()
	lead := scan.automaton.leadOf(s)
	before := int(min(s.at, int64(lead*size)))
	own := (at + lead) * size
	n, err := source.ReadAt(buf[own-before:own+s.want], s.at-int64(before))
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed = err
		return at
	}
	if s.got = max(n-before, 0); s.got < s.want && s.only {
		s.flight.close()
	}
	if s.got == 0 {
		return at
	}
	s.sum = crc32.Checksum(buf[own:own+s.got], castagnoli)
	s.first, s.end = at+lead, at+lead+s.got/size+1
	fill(buf[at*size : own-before])
	fill(buf[own+s.got : s.end*size])
	return s.end
}

// fill writes bytes that are in no pattern.
func fill(b []byte) {
	for i := range b {
		b[i] = '\n'
	}
}

// leadOf is how many granules precede a segment in its piece.
func (a *Automaton) leadOf(s *segment) int {
	if s.at == 0 {
		return 0
	}
	return (a.longest - 1 + a.granuleBytes() - 1) / a.granuleBytes()
}

// announce writes the words of its entry.
func (p *piece) announce(l layout, words engine.Words) {
	at := p.index * entryWords
	for i, v := range [...]int{p.index * l.block, p.shape.granules, p.shape.rows, p.shape.columns, p.own, l.lead} {
		words.Store(at+i, uint32(v))
	}
}

// segment is the one in which a symbol is, nil for none.
func (p *piece) segment(symbol int) *segment {
	g := symbol / granuleSymbols
	i := sort.Search(len(p.segments), func(i int) bool { return p.segments[i].end > g })
	if i == len(p.segments) || g < p.segments[i].first {
		return nil
	}
	return p.segments[i]
}
