package pane

import (
	"context"
	"math"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tui/cells"
)

// imageSample is the pixels of a picture that a grid shows. It does not change once it was read.
type imageSample struct {
	buffer    Buffer
	grid      imageGrid
	words     []uint32  // of each pixel of the grid
	low, high float64   // the least and the largest number of scalar pixels
	shown     *[]uint32 // words of the first of the samples that show the same

	x, y   int // of the pixel under the cursor
	cursor []uint32
}

// color is the color of a pixel of a grid, as far as it was read.
func (s *imageSample) color(im *megakernel.Picture, g *imageGrid, column, row int) (c cells.RGB, ok bool) {
	if *g != s.grid {
		column, row = s.grid.cell(g.pixel(im, column, row))
	}
	if column < 0 || row < 0 || column >= s.grid.columns || row >= s.grid.rows {
		return 0, false
	}
	n := im.Format.Words()
	at := (row*s.grid.columns + column) * n
	return cells.MakeRGB(im.Color(s.words[at:at+n], s.low, s.high)), true
}

// under is the words of the pixel under the cursor; nil where they were not read.
func (s *imageSample) under(b Buffer, x, y int) []uint32 {
	if s == nil || s.buffer != b || s.x != x || s.y != y {
		return nil
	}
	return s.cursor
}

// imageRead carries what was read.
type imageRead struct {
	of      *imagePane
	sample  *imageSample
	problem error
	took    time.Duration
}

// Take implements Message.
func (msg imageRead) Take() {
	p := msg.of
	p.reading, p.problem = false, msg.problem
	if b, ok := p.buffer(); ok && msg.sample != nil && msg.sample.buffer == b {
		if msg.sample.same(p.sample) {
			msg.sample.shown = p.sample.shown
		}
		p.sample = msg.sample
	}
	if rest := restFactor * msg.took; !p.next.IsZero() {
		p.next = p.next.Add(rest)
	}
}

// restFactor is how many times as long as a reading took there is none: they take a tenth of the time at most.
const restFactor = 9

// ErrPicture is the kind of the errors about pictures that cannot be shown.
const ErrPicture fault.Kind = "a picture cannot be shown"

// work reads what of the picture is in sight.
func (p *imagePane) work(shown bool) tea.Cmd {
	b, ok := p.buffer()
	if !ok || !shown || p.Reader == nil || p.reading || !p.Position.Present() || p.Latest().Snap == nil || p.Now().Before(p.next) {
		return nil
	}
	p.reading, p.next = true, p.Now().Add(readEvery)
	if b.Other().Between {
		p.next = p.Now().Add(readBetween)
	}
	s := &imageSample{buffer: b, grid: p.grid(b, p.Place()), x: p.x, y: p.y}
	s.shown = &s.words
	parent, reader, now := p.Ctx(), p.Reader, p.Now
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, ReadingLimit)
		defer cancel()
		began := now()
		err := s.read(ctx, reader)
		if err != nil {
			s = nil
		}
		return imageRead{p, s, err, now().Sub(began)}
	}
}

// Bounds of the words that are read: by one call, which may go over a socket, and of memory of the device's own, of which each
// call ends a slice.
const (
	readChunk   = 1 << 16
	mostBetween = 16 * readChunk
)

// read reads the rows of the picture that are in sight.
func (s *imageSample) read(ctx context.Context, from BufferReader) error {
	im, n := s.buffer.Other().Picture, s.buffer.Other().Picture.Format.Words()
	s.words = make([]uint32, s.grid.columns*s.grid.rows*n)
	left, top := s.grid.pixel(im, 0, 0)
	right, bottom := s.grid.pixel(im, s.grid.columns-1, s.grid.rows-1)
	first, last := im.At(left, top), im.At(right, bottom)+n
	var all []uint32 // from first to last, where that is little, or calls are dear
	if between := s.buffer.Other().Between; last-first <= readChunk || between {
		if last-first > mostBetween {
			return &fault.Error{Kind: ErrPicture, Subject: s.buffer.String(), Detail: "it is in the device's own memory, and too large to be read while the kernel runs", Fix: "write host_visible = true for its buffer in workload.toml, or enlarge a part of it"}
		}
		all = make([]uint32, last-first)
		if err := s.readWords(ctx, from, first, all); err != nil {
			return err
		}
	}
	line, at := make([]uint32, (right-left+1)*n), -1
	for row := range s.grid.rows {
		_, y := s.grid.pixel(im, 0, row)
		if begin := im.At(left, y); all != nil {
			copy(line, all[begin-first:])
		} else if y != at {
			if err := s.readWords(ctx, from, begin, line); err != nil {
				return err
			}
		}
		at = y
		for column := range s.grid.columns {
			x, _ := s.grid.pixel(im, column, row)
			copy(s.words[(row*s.grid.columns+column)*n:], line[(x-left)*n:(x-left+1)*n])
		}
	}
	s.cursor = make([]uint32, n)
	if at := im.At(s.x, s.y); all != nil && at >= first && at+n <= last {
		copy(s.cursor, all[at-first:])
	} else if err := s.readWords(ctx, from, at, s.cursor); err != nil {
		return err
	}
	s.measure(im)
	return nil
}

// readWords reads words in as many calls as that takes.
func (s *imageSample) readWords(ctx context.Context, from BufferReader, first int, dst []uint32) error {
	for at := 0; at < len(dst); at += readChunk {
		if err := from.ReadBuffer(ctx, s.buffer.String(), first+at, dst[at:min(at+readChunk, len(dst))]); err != nil {
			return err
		}
	}
	return nil
}

// measure finds the least and the largest of scalar pixels, which are black and white.
func (s *imageSample) measure(im *megakernel.Picture) {
	if !im.Format.Scalar() {
		return
	}
	s.low, s.high = math.Inf(1), math.Inf(-1)
	for _, w := range s.words {
		if v := im.Value(w); !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.low, s.high = min(s.low, v), max(s.high, v)
		}
	}
	if s.low > s.high {
		s.low, s.high = 0, 1
	}
	if s.low == s.high {
		s.high = s.low + 1
	}
}
