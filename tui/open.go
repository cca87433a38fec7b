package tui

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel/alert"
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

func (msg opened) route(m *model) tea.Cmd {
	m.files.onOpened(msg)
	return nil
}

// files is what the dashboard reads and writes: recordings that are opened over the target, and snapshots that are
// saved.
type files struct {
	*shared

	shell   *model
	environ []string
	opener  Opener
	below   string // what this was opened over; "" when it was not
	under   *model // the dashboard of that
	next    next
	saver   Saver
	saving  string // why the snapshot is to be saved, "" for not at all
}

// openPath asks for the path of a recording.
func (fs *files) openPath() {
	if fs.opener == nil {
		fs.say(theme.Warning, "nothing can be opened here")
		return
	}
	fs.shell.commands.open(&input{
		sign: 'o', label: "open ", whole: true, cancel: func(*model) {}, complete: fs.paths,
		accept: func(m *model, text string) (tea.Cmd, error) { return m.files.openFile(text), nil },
	})
}

func (fs *files) openFile(path string) tea.Cmd {
	if path = strings.TrimSpace(path); path == "" {
		return nil
	}
	open, file := fs.opener, expandHome(fs.home, path)
	fs.say(theme.Plain, "opening "+path)
	return func() tea.Msg {
		o, err := open(file)
		return opened{path, o, err}
	}
}

func (fs *files) onOpened(msg opened) {
	if msg.err != nil {
		fs.fail(msg.err)
		return
	}
	fs.message = message{}
	fs.next = next{open: &msg}
}

// typedOpen is Ctrl-O with the path at hand.
func (fs *files) typedOpen(args []string) (tea.Cmd, error) {
	if len(args) == 0 || fs.opener == nil {
		return nil, misuse("open", "say which file")
	}
	return fs.openFile(strings.Join(args, " ")), nil
}

// typedClose goes back from what was opened.
func (fs *files) typedClose([]string) (tea.Cmd, error) {
	if fs.below == "" {
		return nil, misuse("close", "nothing was opened over this")
	}
	fs.next = next{back: true}
	return nil, nil
}

// askBack asks where to go from something that was opened over a target.
func (fs *files) askBack() tea.Cmd {
	fs.modal = &confirm{question: "leave " + fs.shell.title + ":", choices: []choice{
		{"b", "back to " + fs.below, func(m *model) tea.Cmd { m.files.next = next{back: true}; return nil }},
		{"q", "quit", func(m *model) tea.Cmd { m.files.next = next{back: true, quit: true}; return nil }},
		noChoice,
	}}
	return nil
}

// homeOf is the user's home directory, "" when the environment has none.
func homeOf(environ []string) string {
	for _, e := range environ {
		if dir, ok := strings.CutPrefix(e, "HOME="); ok {
			return dir
		}
	}
	return ""
}

// shortPath is the inverse of expandHome.
func shortPath(home, path string) string {
	if rest, ok := strings.CutPrefix(path, home+"/"); ok && home != "" {
		return "~/" + rest
	}
	return path
}

func expandHome(home, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}

// recordingSuffix is how the names of recordings end; other files are not offered, but can be opened.
const recordingSuffix = ".mcap"

// paths are the recordings and folders that a path may continue to.
func (fs *files) paths(text string) []string {
	dir, start := filepath.Split(text)
	list, err := os.ReadDir(cmp.Or(expandHome(fs.home, dir), "."))
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
