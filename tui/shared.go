package tui

import (
	"context"
	"time"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/graphics"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// shared is what every part of the dashboard needs: the target, what is on the screen, and how to tell the user something.
type shared struct {
	ctx       context.Context // ends with Run; every Cmd that can block selects on it
	now       func() time.Time
	target    megakernel.Target
	transport Transport // nil for a live target
	sink      Sink      // nil when read-only
	can       abilities
	look      pane.Look
	home      string             // the user's directory, "" when the environment has none
	terminal  *graphics.Terminal // nil: it draws no pictures

	width, height int
	latest        *pane.Frame
	frozen        *pane.Frame // nil unless the view is frozen
	message       message
	modal         modal
}

// message is a short text in the footer.
type message struct {
	text  string
	style cells.Style
	until time.Time
}

// messageTime is how long a message stays.
const messageTime = 6 * time.Second

// frame is what is on screen.
func (s *shared) frame() *pane.Frame {
	if s.frozen != nil {
		return s.frozen
	}
	return s.latest
}

func (s *shared) live() bool { return s.transport == nil }

// say puts a message into the footer.
func (s *shared) say(style cells.Style, text string) {
	s.message = message{text: text, style: style, until: s.now().Add(messageTime)}
}

// fail shows an error: in the footer where it fits, else in a box, since it ends in its remedy.
func (s *shared) fail(err error) {
	text := err.Error()
	if len(text) < s.width-2 {
		s.say(theme.Danger, text)
		return
	}
	s.modal = &notice{text: text}
}
