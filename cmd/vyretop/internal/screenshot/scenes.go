package screenshot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"vyretop/fixtures"
	"vyretop/tui"
	"vyretop/tui/keymap"
)

// scene is one picture: a view on a screen, after keys.
type scene struct {
	name string
	w, h int
	keys []string
}

// scenes are the pictures: every view on a common screen, and the overview on the smallest complete
// and on a large one.
func scenes() []scene {
	var out []scene
	for v := range keymap.NumViews {
		out = append(out, scene{name: v.String(), w: 120, h: 40, keys: []string{v.Digit()}})
	}
	return append(out,
		scene{name: "overview-80x24", w: 80, h: 24},
		scene{name: "overview-200x60", w: 200, h: 60},
		scene{name: "help", w: 120, h: 40, keys: []string{"?"}},
	)
}

// samples is how many snapshots of the recording are shown before the picture is taken.
const samples = 30

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

// frame plays the recording and presses the keys of the scene.
func (s *scene) frame(ctx context.Context) (frame string, err error) {
	rec, err := fixtures.Embedded()
	if err != nil {
		return "", err
	}
	player := fixtures.NewPlayer(rec, nil)
	defer func() { err = errors.Join(err, player.Close()) }()
	screen, err := tui.NewHeadless(ctx, tui.Options{
		Source: player, Transport: player, Environ: []string{"TERM=xterm-256color", "LANG=C.UTF-8", "COLUMNS=" + strconv.Itoa(s.w)},
	}, s.w, s.h)
	if err != nil {
		return "", err
	}
	for range samples {
		screen.Press(".")
		screen.Refresh(50 * time.Millisecond)
	}
	screen.Press(s.keys...)
	return screen.Frame(), nil
}
