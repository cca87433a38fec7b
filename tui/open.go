package tui

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/tui/alert"
	"vyretop/tui/theme"
)

// Opened is a recording that is shown over a target, until the user goes back.
type Opened struct {
	Source    Source
	Transport Transport
	Subject   string // how commands name it
	Save      Saver
	Alerts    *alert.Watch
	Warning   string // what is wrong with it, "" for nothing
	Close     func() error
}

// Opener opens the recording of a path. It is called outside of the dashboard's goroutine.
type Opener func(path string) (*Opened, error)

// opened is the end of opening something.
type opened struct {
	path string
	*Opened
	err error
}

// openPath asks for the path of a recording.
func (m *model) openPath() {
	if m.opener == nil {
		m.say(theme.Warning, "nothing can be opened here")
		return
	}
	m.open(&input{
		sign: 'o', label: "open ", whole: true, cancel: func(*model) {}, complete: m.paths,
		accept: func(m *model, text string) (tea.Cmd, error) { return m.openFile(text), nil },
	})
}

func (m *model) openFile(path string) tea.Cmd {
	if path = strings.TrimSpace(path); path == "" {
		return nil
	}
	open, file := m.opener, m.expandHome(path)
	m.say(theme.Plain, "opening "+path)
	return func() tea.Msg {
		o, err := open(file)
		return opened{path, o, err}
	}
}

func (m *model) onOpened(msg opened) {
	if msg.err != nil {
		m.fail(msg.err)
		return
	}
	m.message = message{}
	m.next = next{open: &msg}
}

// typedOpen is Ctrl-O with the path at hand.
func (m *model) typedOpen(args []string) (tea.Cmd, error) {
	if len(args) == 0 || m.opener == nil {
		return nil, misuse("open", "say which file")
	}
	return m.openFile(strings.Join(args, " ")), nil
}

// typedClose goes back from what was opened.
func (m *model) typedClose([]string) (tea.Cmd, error) {
	if m.beneath == "" {
		return nil, misuse("close", "nothing was opened over this")
	}
	m.next = next{back: true}
	return nil, nil
}

// askBack asks where to go from something that was opened over a target.
func (m *model) askBack() tea.Cmd {
	m.modal = &confirm{question: "leave " + m.title + ":", choices: []choice{
		{"b", "back to " + m.beneath, func(m *model) tea.Cmd { m.next = next{back: true}; return nil }},
		{"q", "quit", func(m *model) tea.Cmd { m.next = next{back: true, quit: true}; return nil }},
		noChoice,
	}}
	return nil
}

// home is the user's home directory, "" when the environment has none.
func (m *model) home() string {
	for _, e := range m.environ {
		if dir, ok := strings.CutPrefix(e, "HOME="); ok {
			return dir
		}
	}
	return ""
}

// shortPath is the inverse of expandHome.
func (m *model) shortPath(path string) string {
	if rest, ok := strings.CutPrefix(path, m.home()+"/"); ok && m.home() != "" {
		return "~/" + rest
	}
	return path
}

func (m *model) expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && m.home() != "" {
		return filepath.Join(m.home(), rest)
	}
	return path
}

// recordingSuffix is how the names of recordings end; other files are not offered, but can be opened.
const recordingSuffix = ".mcap"

// paths are the recordings and folders that a path may go on to.
func (m *model) paths(text string) []string {
	dir, start := filepath.Split(text)
	list, err := os.ReadDir(cmp.Or(m.expandHome(dir), "."))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range list {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(start, ".")
		switch {
		case hidden || !strings.HasPrefix(name, start):
		case e.IsDir():
			out = append(out, dir+name+"/")
		case strings.HasSuffix(name, recordingSuffix):
			out = append(out, dir+name)
		}
	}
	return out
}
