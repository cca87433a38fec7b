// Command bare is the least that a dashboard can be: it shows the frames of a file, one after the other and
// from the start again, through the terminal library.
//
//	bare FILE RATE
//
// Frames are separated by a byte of zero; RATE is frames per second, 0 for the first frame only.
package main

import (
	"bytes"
	"log"
	"os"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"
)

type next struct{}

type model struct {
	frames []string
	at     int
	delay  time.Duration
}

func (m *model) Init() tea.Cmd { return m.wait() }

func (m *model) wait() tea.Cmd {
	if m.delay == 0 {
		return nil
	}
	return tea.Tick(m.delay, func(time.Time) tea.Msg { return next{} })
}

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case next:
		m.at = (m.at + 1) % len(m.frames)
		return m, m.wait()
	case tea.KeyPressMsg:
		if msg.String() == "q" {
			return m, tea.Quit
		}
	}
	return m, nil
}

func (m *model) View() tea.View {
	v := tea.NewView(m.frames[m.at])
	v.AltScreen = true
	return v
}

func main() {
	file, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	rate, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	m := &model{}
	for frame := range bytes.SplitSeq(file, []byte{0}) {
		m.frames = append(m.frames, string(frame))
	}
	if rate > 0 {
		m.delay = time.Second / time.Duration(rate)
	}
	if _, err := tea.NewProgram(m).Run(); err != nil {
		log.Fatal(err)
	}
}
