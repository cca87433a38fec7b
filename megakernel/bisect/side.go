package bisect

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/run"
)

// isHandlerFile tells a file from the name of a workload or its folder.
func isHandlerFile(name string) bool {
	if info, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return err == nil && !info.IsDir()
	}
	return filepath.Ext(name) != ""
}

// programs counts the names of files that can be executed.
func programs(names ...string) (n int) {
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && filepath.Ext(name) != ".glsl" && !fixtures.IsRecording(name) {
			n++
		}
	}
	return n
}

// maxHandlerFile bounds the text of a handler file.
const maxHandlerFile = 4 << 20

// HandlersOf reads handlers that users name: those of a recording, of a workload, or a file that replaces the recorded one of its name.
func HandlersOf(ctx context.Context, name string) (h replay.Handlers, err error) {
	switch {
	case fixtures.IsRecording(name):
		return ofRecording(name)
	case isHandlerFile(name):
		text, err := plainfile.Read(name, maxHandlerFile)
		if err != nil {
			return h, plainfile.Failure("read", name, err, plainfile.Fix(err))
		}
		return replay.Handlers{Name: name, File: name, Text: string(text)}, nil
	}
	return ofWorkload(ctx, name)
}

func ofRecording(name string) (h replay.Handlers, err error) {
	rec, err := inspect.OpenRecording(name)
	if err != nil {
		return h, err
	}
	c, err := replay.RecordedHandlers(name, rec)
	return replay.Handlers{Name: name, Workload: rec.Header().Target.Workload, Config: c}, errors.Join(err, rec.Close())
}

func ofWorkload(ctx context.Context, name string) (h replay.Handlers, err error) {
	d, err := run.OpenWorkload(name)
	if err != nil {
		return h, err
	}
	w, err := d.New(nil)
	if err != nil {
		return h, err
	}
	s, err := w.Setup(ctx)
	if err != nil {
		return h, err
	}
	c := s.Config()
	return replay.Handlers{Name: name, Workload: s.Name, Config: &c}, nil
}
