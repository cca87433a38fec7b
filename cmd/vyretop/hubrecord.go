package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/fleet"
)

// hubRecording is a recording that goes to a hub while it is written: from a file of this machine, so that neither run nor
// recording wait for the hub.
type hubRecording struct {
	app     *app
	address string // for people
	file    string // of this machine
	hub     *fleet.Hub
	written chan struct{} // closed when the file is complete
	cancel  context.CancelCauseFunc
	ended   chan error
}

// errUploading says that the end of a recording is not at the hub.
const errUploading fault.Kind = "the rest of the recording is not at the hub"

// checkHubRecording finds what is wrong with the name of a recording at a hub, and with segments of it. flag is where the name was given.
func checkHubRecording(flag, record string, f *segmentFlags) error {
	if _, _, ok := fleet.SplitTarget(record); !ok {
		return nil
	}
	_, name, ok := fleet.RecordingNamed(record)
	switch {
	case !ok || !fleet.IsRecordingName(name):
		return usage(fmt.Sprintf("invalid %s %q: it names no recording of a hub", flag, fleet.Redact(record)), "write nats://HOST:PORT/recordings/NAME.mcap")
	case f.Every != 0:
		return usage("--segment has no effect on a recording of a hub", "leave it out, or record to a file")
	}
	return nil
}

// recordTo has a recording written to a file, or to a hub where its name, which was checked, says so.
func recordTo(ctx context.Context, a *app, record string, write func(file string) error) error {
	if _, _, ok := fleet.RecordingNamed(record); !ok {
		return write(record)
	}
	hub, err := configuredHub(a)
	if err != nil {
		return err
	}
	r, err := hub.recordAtHub(ctx, a, record, "vyretop record")
	if err != nil {
		return err
	}
	return errors.Join(write(r.file), r.end())
}

// recordAtHub begins the recording of a name at a hub; nil for a file. The name was checked. command is for the hub's administrator.
func (f hubFlags) recordAtHub(ctx context.Context, a *app, record, command string) (*hubRecording, error) {
	url, name, ok := fleet.RecordingNamed(record)
	if !ok {
		return nil, nil
	}
	f.url = url
	h, err := f.connect(command)
	if err != nil {
		return nil, err
	}
	u, err := h.UploadRecording(ctx, name, hostName())
	if err != nil {
		h.Close()
		return nil, err
	}
	dir, err := uploadDir(a)
	if err != nil {
		h.Close()
		return nil, err
	}
	r := &hubRecording{
		app: a, address: f.shown() + "/" + fleet.RecordingPrefix + name, file: filepath.Join(dir, name), hub: h, written: make(chan struct{}), ended: make(chan error, 1),
	}
	going, cancel := context.WithCancelCause(context.WithoutCancel(ctx)) // the end is uploaded, too
	r.cancel = cancel
	go func() { r.ended <- u.Follow(going, r.file, r.written) }()
	return r, nil
}

// uploadDir is a folder of its own for a recording that is uploaded, in the user's state: what the hub did not take stays there.
func uploadDir(a *app) (string, error) {
	state := plainfile.StateDir(a.env)
	if state == "" {
		state = os.TempDir()
	}
	parent := filepath.Join(state, "uploads")
	err := os.MkdirAll(parent, 0o700)
	if err == nil {
		removeUploads(parent)
		parent, err = os.MkdirTemp(parent, "run-")
	}
	if err != nil {
		return "", plainfile.Failure("write", parent, err, plainfile.Fix(err))
	}
	return parent, nil
}

// keptUploads is how many recordings stay that the hub did not take, or whose run was killed: the newest.
const keptUploads = 8

// emptyTime is how old a folder without a recording is that no run is about to use.
const emptyTime = 24 * time.Hour

// removeUploads removes older recordings that no run writes.
func removeUploads(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, "run-*"))
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > emptyTime {
			_ = os.Remove(dir) // one with a recording stays
		}
	}
	files, _ := filepath.Glob(filepath.Join(parent, "run-*", "*")) // only a malformed pattern is an error
	modified := map[string]time.Time{}
	files = slices.DeleteFunc(files, func(name string) bool {
		f, err := plainfile.Open(name)
		if err != nil {
			return true
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || plainfile.Held(f) {
			return true
		}
		modified[name] = info.ModTime()
		return false
	})
	slices.SortFunc(files, func(a, b string) int { return modified[b].Compare(modified[a]) })
	for _, old := range files[min(keptUploads, len(files)):] {
		_ = os.RemoveAll(filepath.Dir(old)) // what cannot be removed stays
	}
}

// end uploads the rest once the file is complete, and removes it, unless the hub does not take it.
func (r *hubRecording) end() error {
	close(r.written)
	limit := time.AfterFunc(uploadTime, func() { r.cancel(context.DeadlineExceeded) })
	done := r.app.note("uploading the end of the recording")
	err := <-r.ended
	done()
	limit.Stop()
	r.cancel(nil)
	r.hub.Close()
	info, missing := os.Stat(r.file)
	some := missing == nil && info.Size() > 0
	if err != nil && some {
		return &fault.Error{Kind: errUploading, Subject: r.address, Detail: string(errUploading), Cause: err, Fix: "keep it there with vyretop hub put " + r.file}
	}
	_ = os.RemoveAll(filepath.Dir(r.file)) // a copy of what the hub has
	if err == nil && some {
		fmt.Fprintf(r.app.stderr, "vyretop: recorded at the hub: vyretop replay %s\n", r.address)
	}
	return err
}
