package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/tui"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// recording is a run of
//
//	vyretop run mixed --headless --backend reference --workers 6 --workgroup-size 4 --seed 3 --exec mixed/mixed.script --record mixed.mcap
//
// with the folder mixed beside it. On its way worker 2 is paused and does two steps, a task is paused,
// edited and requeued, and settings are changed.
//
//go:embed mixed/mixed.mcap
var recording []byte

// shownAt is when the pictures are taken: worker 2 is paused, and most has happened.
const shownAt = 2150 * time.Millisecond

// scene is one picture: a view on a screen, after keys.
type scene struct {
	name string
	w, h int
	keys []string
	live bool   // of the run with breakpoints, as if it went on
	demo bool   // of the demo, which has the text of its kernel
	walk string // of the recording of an example in walks; "" for none
}

// walks has the recordings of docs/examples, in the folder from which the pictures are made: those that docs/debugging.md walks through.
const walks = "fixtures/recordings/walks/"

// details are the keys that show more of a view than its first row.
var details = map[keymap.View][]string{
	keymap.Workers:  {"down", "down"},
	keymap.Tasks:    {"delete", "t", "g", "ctrl+f", "ctrl+f", "ctrl+f", "ctrl+f", "down"},
	keymap.Ring:     {"down", "down", "down"},
	keymap.Log:      append(typed("/requeue"), "enter", "v", "v", "N", "N", "N"),
	keymap.Memory:   {"g", "W", "/", "s", "e", "r", "v", "e", "d", "enter", "g", "W", "down", "W"},
	keymap.Launch:   {">", ">", ">", ">", "down", ">"},
	keymap.Events:   {"g", "down", "down", "down", "down", "down"},
	keymap.Timeline: {"g", "down", "down"},
	keymap.Diff:     append(typed(":diff 1.9s screen"), "enter", "F", "right", "enter", "esc", "g", "down"),
}

// task are the keys that open a task in the source view.
func task(id string) []string {
	return slices.Concat(typed(":seek 9s"), []string{"enter", "3", "delete"}, typed("/id="+id), []string{"enter", "down", "D"})
}

// told are the keys of commands of the debugger in the source view.
func told(commands ...string) (keys []string) {
	for _, c := range commands {
		keys = slices.Concat(keys, []string{";"}, typed(c), []string{"enter"})
	}
	return keys
}

// typed are the keys of a text.
func typed(text string) (keys []string) {
	for _, r := range text {
		if r == ' ' {
			keys = append(keys, "space")
			continue
		}
		keys = append(keys, string(r))
	}
	return keys
}

// scenes are the pictures: every view on a common screen, and some of them on the smallest complete
// and on a large one.
func scenes() []scene {
	var out []scene
	for _, k := range pane.Kinds {
		if k.View == keymap.Code || k.View == keymap.Image {
			continue // one is of the demo, below; the recording has no picture for the other
		}
		out = append(out, scene{name: string(k.View), w: 120, h: 40, keys: append([]string{k.Digit}, details[k.View]...)})
	}
	return append(out,
		scene{name: "overview-80x24", w: 80, h: 24},
		scene{name: "overview-200x60", w: 200, h: 60},
		scene{name: "worker", w: 120, h: 40, keys: []string{"2", "down", "down", "enter"}},
		scene{name: "chips", w: 80, h: 24, keys: []string{"3", "delete", "F", "left", "space", "tab", "right", "enter"}},
		scene{name: "break", w: 120, h: 40, live: true, keys: []string{"3", "/", "i", "d", "=", "8", "5", "0", "enter", "b"}},
		scene{name: "breakpoints", w: 120, h: 40, live: true, keys: []string{"3", "B"}},
		scene{name: "source", w: 120, h: 40, demo: true, keys: slices.Concat(typed(":seek 21s"), []string{"enter", "3"}, typed("/state=faulted"), []string{"enter", "down", "enter"})},
		scene{name: "walk-total", w: 120, h: 40, walk: "total-llvmpipe.mcap", keys: slices.Concat(task("256"), told("next write total_sums[255]", "watch sum", "rev continue"))},
		scene{name: "walk-relay", w: 120, h: 24, walk: "relay-llvmpipe.mcap", keys: slices.Concat(typed(":seek 1.5s"), []string{"enter"}, typed(":seek 3.5s"), []string{"enter", "S"})},
		scene{name: "walk-histogram", w: 120, h: 40, walk: "histogram-llvmpipe.mcap", keys: slices.Concat(task("4093"), told("next write histogram_bins[10]"))},
		scene{name: "help", w: 120, h: 40, keys: []string{"?"}},
	)
}

// WriteAll draws every scene into a folder, as NAME.png.
func WriteAll(ctx context.Context, dir string) error {
	p, err := NewPainter()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range scenes() {
		if err := p.write(ctx, s, filepath.Join(dir, s.name+".png")); err != nil {
			return err
		}
	}
	return nil
}

func (p *Painter) write(ctx context.Context, s scene, path string) (err error) {
	frame, err := s.frame(ctx)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return p.WritePNG(f, frame, s.w, s.h)
}

// frame goes through the recording up to shownAt, sample by sample, and presses the keys.
func (s *scene) frame(ctx context.Context) (frame string, err error) {
	data, until := recording, shownAt
	options := tui.Options{Environ: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}, Explain: inspect.StallText}
	if s.live {
		held, err := newHeldBreaks()
		if err != nil {
			return "", err
		}
		data, until, options.Sink = breakRun, held.at, held
	}
	rec, err := fixtures.NewRecording(bytes.NewReader(data), int64(len(data)))
	name := inspect.Embedded
	switch {
	case s.demo:
		rec, err = fixtures.Embedded()
		until = 0
	case s.walk != "":
		name, until = s.walk, 0
		rec, err = fixtures.Open(walks + s.walk)
	}
	if err != nil {
		return "", err
	}
	player := fixtures.NewPlayer(rec, nil)
	defer func() { err = errors.Join(err, player.Close()) }()
	switch {
	case s.live:
		options.Source = undated{player}
	case s.demo || s.walk != "":
		options.Source, options.Transport = replay.NewPlayed(player, name, rec), player
	default:
		options.Source, options.Transport = player, player
	}
	screen, err := tui.NewHeadless(ctx, options, s.w, s.h)
	if err != nil {
		return "", err
	}
	for at, _ := player.Position(); at < until; at, _ = player.Position() {
		if s.live {
			player.Step(1)
			screen.Refresh(time.Millisecond)
		} else {
			screen.Press("ctrl+right")
		}
	}
	screen.Press(s.keys...)
	return screen.Frame(), nil
}
