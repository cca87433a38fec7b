package tui

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// pixelDriver shows a picture on a terminal with sixels; raw is what is written beside the frames.
type pixelDriver struct {
	*deckDriver
	raw []string
	out bytes.Buffer
}

func newPixelDriver(t *testing.T) *pixelDriver { return pixelDriverWith(t, Options{}) }

func pixelDriverWith(t *testing.T, o Options) *pixelDriver {
	d := &pixelDriver{deckDriver: &deckDriver{}}
	target := newPainterTarget()
	o.Version, o.Environ, o.Source, o.Sink = "test", utf8Env, target, target.fakeTarget
	d.driver = newDriver(t, 120, 40, o)
	d.m.terminal = pixelsOf(&o)
	d.screenStack = &screenStack{options: o, base: d.m, out: newOutlet(&d.out)}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	d.m.ctx = over
	return d
}

// send handles a message and what it leads to, and keeps what is written.
func (d *pixelDriver) send(msg tea.Msg) {
	d.m.ticking = true
	msg = d.screenStack.leave(d.screenStack, msg)
	switch msg := msg.(type) {
	case tea.RawMsg:
		d.raw = append(d.raw, fmt.Sprint(msg.Msg))
	case tea.QuitMsg:
		d.quit = true
	}
	_, cmd := d.screenStack.Update(msg)
	if _, ends := msg.(held); !ends { // its clock is not waited for
		d.runTo(cmd, d.send)
	}
}

// written is what was written since, and answers it.
func (d *pixelDriver) written() string {
	text := strings.Join(d.raw, "")
	d.raw = nil
	if strings.Contains(text, ansi.RequestPrimaryDeviceAttributes) {
		d.send(uv.PrimaryDeviceAttributesEvent{62, 4})
	}
	return text
}

// A terminal is asked when a picture is shown; the picture is drawn over blank cells, and half blocks are back once something is over it.
func TestPicturesAreDrawnWithTheTerminalsPixels(t *testing.T) {
	d := newPixelDriver(t)
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	if got := d.written(); got != "" {
		t.Errorf("%q is written before a picture is shown", got)
	}
	d.send(KeyPress("#"))
	d.wantOnScreen("Image: rgb", "▒▒▒")
	if got := strings.Join(d.raw, ""); !strings.Contains(got, "\x1b[16t") {
		t.Errorf("asked by %q", got)
	}
	d.send(uv.CellSizeEvent{Width: 8, Height: 16})
	d.written() // the question; its answer says sixels
	d.m.View()
	d.wantNotOnScreen("▒▒▒")
	if got := d.written(); got != ansi.RequestPrimaryDeviceAttributes {
		t.Errorf("%q is written before the cells are blank", got)
	}
	if got := d.written(); !strings.Contains(got, "\x1bP0;1q\"1;1;") {
		t.Errorf("no sixels in %.40q", got)
	}
	if got := d.written(); got != "" {
		t.Errorf("the same again: %.40q", got)
	}
	d.send(KeyPress("?"))
	d.wantOnScreen("Keys in image", "▒▒▒")
	d.send(KeyPress("esc"))
	d.wantNotOnScreen("▒▒▒")
	if got := d.written(); got != ansi.RequestPrimaryDeviceAttributes {
		t.Errorf("behind the help %.40q", got)
	}
}

// Without pixels the terminal is not asked, and half blocks stay.
func TestPicturesWithoutPixelsAreHalfBlocks(t *testing.T) {
	d := pixelDriverWith(t, Options{Without: Without{Pixels: true}})
	d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.send(KeyPress("#"))
	d.send(uv.CellSizeEvent{Width: 8, Height: 16})
	d.send(uv.PrimaryDeviceAttributesEvent{62, 4})
	d.m.View()
	d.wantOnScreen("Image: rgb", "▒▒▒")
	if got := strings.Join(d.raw, ""); got != "" {
		t.Errorf("%q is written", got)
	}
}

// The dashboard ends once the terminal has answered: the shell would take the answer for keys.
func TestQuitWaitsForTheTerminalsAnswer(t *testing.T) {
	d := newPixelDriver(t)
	d.send(KeyPress("#"))
	d.send(tea.QuitMsg{})
	if d.quit {
		t.Fatal("it ends before the answer")
	}
	d.written()
	if !d.quit {
		t.Error("it does not end after the answer")
	}
	d = newPixelDriver(t)
	d.send(KeyPress("#"))
	d.send(tea.QuitMsg{})
	d.send(late{})
	if !d.quit {
		t.Error("a terminal that does not answer holds up the end")
	}
}
