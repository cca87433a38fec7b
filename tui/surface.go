package tui

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"vyretop/tui/cells"
)

// surface is the terminal as the dashboard writes to it. The terminal library owns the modes of the terminal, such as its
// other screen and the mouse, and writes them through the surface. It is never given a frame: it would parse the text of
// it and compare all cells, which costs several times what drawing them does. They are painted here.
type surface struct {
	out    io.Writer
	reduce func(*cells.Palette) *cells.Palette // what the terminal can show of a palette
	synced atomic.Bool                         // the terminal takes a frame as a whole
	ready  chan struct{}                       // there is a frame to be painted

	mu      sync.Mutex // guards what is to be shown; never held while the terminal is written to
	frame   cells.Buffer
	palette *cells.Palette // nil before the first frame

	writing sync.Mutex // guards the terminal, and what is known of it
	open    bool       // its other screen is on
	own     bool       // the library does not know that yet
	painter cells.Painter
	buf     []byte
}

// frameRest is the least time between two frames.
const frameRest = time.Second / 120

func newSurface(out io.Writer, profile colorprofile.Profile) *surface {
	return &surface{out: out, reduce: reducer(profile), painter: cells.Painter{Colors: pixelColors(profile)}, ready: make(chan struct{}, 1)}
}

// pixelColors are the colors that a terminal has for pixels. Sixteen, which users choose, are too few for a picture.
func pixelColors(profile colorprofile.Profile) cells.Colors {
	switch profile {
	case colorprofile.TrueColor:
		return cells.AllColors
	case colorprofile.ANSI256:
		return cells.Colors256
	default:
		return cells.Shades
	}
}

// reducer makes of palettes what a terminal can show, and remembers the last one.
func reducer(profile colorprofile.Profile) func(*cells.Palette) *cells.Palette {
	var of, reduced *cells.Palette
	return func(p *cells.Palette) *cells.Palette {
		if p == of {
			return reduced
		}
		of, reduced = p, new(cells.Palette)
		for i, sgr := range p {
			if sgr == "" {
				continue
			}
			var b strings.Builder
			_, _ = (&colorprofile.Writer{Forward: &b, Profile: profile}).WriteString(sgr)
			reduced[i] = b.String()
		}
		return reduced
	}
}

// size is how many columns and rows the terminal has, if it is one.
func (s *surface) size() (w, h int, ok bool) {
	file, ok := s.out.(term.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return 0, 0, false
	}
	w, h, err := term.GetSize(file.Fd())
	return w, h, err == nil && w > 0 && h > 0
}

// show has a frame painted as soon as the terminal takes it, unless there is a newer one by then. It does not wait.
func (s *surface) show(b *cells.Buffer, p *cells.Palette) {
	s.mu.Lock()
	s.frame.Copy(b)
	s.palette = p
	s.mu.Unlock()
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// crashed is what went wrong where frames are painted. It is raised again where the library restores the terminal.
type crashed struct {
	what  any
	stack []byte
}

func (c crashed) route(*model) tea.Cmd {
	panic(fmt.Sprintf("BUG: while painting: %v\n%s", c.what, c.stack))
}

// run paints frames until ctx ends.
func (s *surface) run(ctx context.Context, send func(tea.Msg)) {
	defer func() {
		if what := recover(); what != nil {
			send(crashed{what, debug.Stack()})
		}
	}()
	rest := time.NewTimer(0)
	defer rest.Stop()
	var painted time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.ready:
		}
		rest.Reset(frameRest - time.Since(painted))
		select {
		case <-ctx.Done():
			return
		case <-rest.C:
		}
		if s.repaint() {
			painted = time.Now()
		}
	}
}

func (s *surface) repaint() bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.paint()
}

// paint writes what differs of the newest frame, and reports whether that is anything; the caller has the terminal.
// One that is gone shows again where it is read.
func (s *surface) paint() bool {
	prefix, suffix := "", ""
	if s.synced.Load() {
		prefix, suffix = ansi.SetModeSynchronizedOutput, ansi.ResetModeSynchronizedOutput
	}
	s.buf = s.append(append(s.buf[:0], prefix...))
	if len(s.buf) == len(prefix) {
		return false
	}
	s.buf = append(s.buf, suffix...)
	_, _ = s.out.Write(s.buf)
	return true
}

// append appends what differs of the newest frame.
func (s *surface) append(dst []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.open || s.palette == nil {
		return dst
	}
	return s.painter.Append(dst, &s.frame, s.reduce(s.palette))
}

// Write is for the terminal library. Where it has turned to the other screen, or erased it, the frame is painted again.
func (s *surface) Write(p []byte) (int, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	n, err := s.out.Write(p)
	enters := bytes.Contains(p, []byte(ansi.SetModeAltScreenSaveCursor))
	switch {
	case bytes.Contains(p, []byte(ansi.ResetModeAltScreenSaveCursor)):
		s.open, s.own = false, false
	case enters || bytes.Contains(p, []byte(ansi.EraseEntireScreen)):
		s.open, s.own = s.open || enters, s.own && !enters
		s.painter.Forget()
		s.paint()
	}
	return n, err
}

// enter turns to the other screen and paints there, before the library comes to it.
func (s *surface) enter() {
	_, _ = s.Write([]byte(ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable))
	s.writing.Lock()
	defer s.writing.Unlock()
	s.own = true
}

// leave takes enter back, unless the library has come to it and does that itself.
func (s *surface) leave() {
	if s == nil {
		return
	}
	s.writing.Lock()
	own := s.own
	s.writing.Unlock()
	if own {
		_, _ = s.Write([]byte(ansi.SetModeTextCursorEnable + ansi.ResetModeAltScreenSaveCursor))
	}
}

// onMode takes in what the terminal said of its modes.
func (s *surface) onMode(msg tea.ModeReportMsg) {
	if s != nil && msg.Mode == ansi.ModeSynchronizedOutput && msg.Value == ansi.ModeReset {
		s.synced.Store(true)
	}
}
