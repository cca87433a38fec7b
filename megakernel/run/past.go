package run

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel"
)

// PastDir is where runs that end badly leave their ends; "" for nowhere. Environ has entries "NAME=value".
func PastDir(environ []string) string {
	if state := plainfile.StateDir(environ); state != "" {
		return filepath.Join(state, "blackbox")
	}
	return ""
}

// keptPasts is how many runs the folder has at most: the newest.
const keptPasts = 8

// ErrNoPast is the kind of the error about a folder that has the end of no run.
const ErrNoPast fault.Kind = "no run has ended badly"

// pasts are the recordings that runs left that ended badly, the newest first.
func pasts(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.mcap"))
	modified := func(file string) int64 {
		if info, err := os.Lstat(file); err == nil {
			return info.ModTime().UnixNano()
		}
		return 0
	}
	slices.SortFunc(files, func(x, y string) int { return cmp.Compare(modified(y), modified(x)) })
	return files
}

// NewestPast is the newest recording of a run that ended badly. The error is ErrNoPast.
func NewestPast(dir string) (string, error) {
	if files := pasts(dir); len(files) > 0 {
		return files[0], nil
	}
	return "", &fault.Error{Kind: ErrNoPast, Subject: cmp.Or(dir, "the user's state"), Detail: "it has the end of no run", Fix: "name a recording or a live run"}
}

// KeepPast writes what happened last as a recording in a folder, with an event that says why, and removes the oldest of
// those that are there. The file is also named where it cannot be written; the error is that of the file system.
func (r *Run) KeepPast(dir, why string) (file string, err error) {
	file = filepath.Join(dir, pastName(&r.header.Target))
	if err := r.box.Write(file, why); err != nil {
		return file, err
	}
	dropOld(dir)
	return file, nil
}

// pastName is what the recording of the end of a run is called.
func pastName(t *megakernel.Target) string {
	return fmt.Sprintf("%s-%s.mcap", filepath.Base(t.Workload), t.Started.UTC().Format("20060102T150405.000"))
}

// dropOld removes all but the newest recordings of a folder. What cannot be removed stays.
func dropOld(dir string) {
	files := pasts(dir)
	for _, old := range files[min(keptPasts, len(files)):] {
		_ = os.Remove(old)
	}
}

// Acted reports whether a task has begun.
func (r *Run) Acted() bool {
	s := r.hub.Snapshot()
	return s != nil && s.Counters[megakernel.CountActivations] > 0
}
