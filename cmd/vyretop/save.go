package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tui"
)

// saver writes snapshots, each as a recording of its own, into folder snapshots of the user's state. They are
// named after the workload and the time.
func (a *app) saver(h fixtures.Header) tui.Saver {
	state := plainfile.StateDir(a.env)
	if state == "" {
		return nil
	}
	return func(s *megakernel.Snapshot, log []megakernel.LogRecord, why string) (string, error) {
		dir := filepath.Join(state, "snapshots")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", &fileError{"make the folder", dir, err, "make a folder of that name that can be written"}
		}
		name := fmt.Sprintf("%s-%s-%s.mcap", filepath.Base(h.Target.Workload), h.Target.Started.UTC().Format("20060102T150405"), s.Taken.Round(time.Millisecond))
		file := filepath.Join(dir, name)
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return file, err // this snapshot is saved already
		}
		return file, saveMoment(file, h, s, log, why)
	}
}

// saveMoment writes a file that is whole as soon as it has its name: another process may look for it.
func saveMoment(file string, h fixtures.Header, s *megakernel.Snapshot, log []megakernel.LogRecord, why string) error {
	part := fmt.Sprintf("%s.%d.part", file, os.Getpid())
	w, err := fixtures.Create(part, h)
	if err != nil {
		return err
	}
	w.Log(log)
	w.Event(megakernel.HostEvent{At: s.Taken, Kind: tui.EventSaved, Text: why})
	w.Snapshot(s)
	if err = w.Close(); err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part) // what failed is what counts
	}
	return err
}
