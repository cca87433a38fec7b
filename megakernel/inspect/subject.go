// Package inspect owns what the one-shot and streaming commands say of a target: where it is read from
// (a live run, a recording, a file of raw buffers), what its tables, documents and exports look like, and how two
// positions of it differ.
//
// Every document and every line of a stream has a schema member, units are part of the key of a number,
// and what is not known is absent.
package inspect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/remote"
)

// Kind says where a subject is read from.
type Kind string

// The kinds of subject.
const (
	Live      Kind = "live"
	Recording Kind = "recording"
	Raw       Kind = "raw"
)

// Subject is a target that is looked at.
type Subject interface {
	// Kind says where it is read from.
	Kind() Kind
	// Header is what is known of the run as a whole; of raw buffers almost nothing.
	Header() fixtures.Header
	// Now is the newest snapshot, and Pair the newest one with another that is about window older. before
	// is nil where there is none; a live subject waits for the window to pass.
	Now(ctx context.Context) (*megakernel.Snapshot, error)
	Pair(ctx context.Context, window time.Duration) (now, before *megakernel.Snapshot, err error)
	// LastLog is what was logged last until now, as far as it is kept: at most limit records.
	LastLog(limit int) []megakernel.LogRecord
	// History gives each what was logged, or what happened, until now, as far as it is kept: oldest first.
	History(ctx context.Context, want fixtures.Wanted, each func(*fixtures.StreamMessage) error) error
	// Follow gives each everything there is, oldest first, and then what comes, until the subject or ctx
	// ends; ctx's end is not an error. It is the last thing that is asked of a subject.
	Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error
	// Close ends the connection or closes the files.
	Close() error
}

// Options say how a subject is opened; the zero value of each field means its default.
type Options struct {
	Dir         string         // of the sockets of live targets
	Wait        time.Duration  // for a live target to appear
	At          *time.Duration // position of a recording; its end when nil
	Interval    time.Duration  // least time between snapshots of a live target
	Observables uint32         // words behind the fixed ones of a raw control buffer
	Slots       uint32         // of a raw ring; 0 for what the control buffer says
	NoLog       bool           // the debug log of a live target is not wanted
	// Connect, when not nil, reaches the live target that the name means in place of a socket in Dir.
	Connect func(ctx context.Context) (net.Conn, error)
	// Told, when not nil, is told when the connection to such a target is lost while it is followed, and when it is there again.
	Told func(text string)
}

// ErrSubject is matched by errors about what was asked to be looked at.
const ErrSubject fault.Kind = "nothing to look at"

// ErrNoSnapshot is matched by errors about recordings without any snapshot. They may have log and events.
const ErrNoSnapshot fault.Kind = "no snapshot"

// Embedded is the name of the recording that is part of the program, unless a live target has it.
const Embedded = "demo"

// Open opens what name means: a file that is a recording or raw buffers, a live target, or Embedded.
// Behind the name of a recording "@" and a duration choose its position, as in run.mcap@1.5s.
func Open(ctx context.Context, name string, o Options) (Subject, error) {
	if o.Connect != nil {
		return dialLive(ctx, name, remote.DialOptions{Connect: o.Connect, Interval: o.Interval, NoLog: o.NoLog}, o.Told)
	}
	file, at, err := splitPosition(name)
	if err != nil {
		return nil, err
	}
	if at != nil {
		o.At = at
	}
	var rec *fixtures.Recording
	running, err := remote.Targets(o.Dir)
	if err != nil && !isFile(file) && file != Embedded {
		return nil, err
	}
	switch {
	case isFile(file) && !isFolderName(file):
		rec, err = fixtures.Open(file)
	case file == Embedded && !slices.Contains(running, Embedded):
		rec, err = fixtures.Embedded()
	default:
		return openLive(ctx, name, o)
	}
	if errors.Is(err, fixtures.ErrNotRecording) && !fixtures.IsRecording(file) {
		return openRaw(file, o)
	}
	if err != nil {
		return nil, err
	}
	return newRecorded(rec, o.At), nil
}

// OpenRecording opens a file that must be a recording, or Embedded where no file has that name.
func OpenRecording(name string) (*fixtures.Recording, error) {
	if name == Embedded && !isFile(name) {
		return fixtures.Embedded()
	}
	return fixtures.Open(name)
}

// splitPosition takes the position off a name; where a file has the whole name there is none.
func splitPosition(name string) (file string, at *time.Duration, err error) {
	cut := strings.LastIndexByte(name, '@')
	if _, err := os.Stat(name); cut < 0 || err == nil {
		return name, nil, nil
	}
	d, ok := units.ParsePosition(name[cut+1:])
	if !ok {
		return "", nil, &fault.Error{Kind: ErrSubject, Subject: name, Detail: fmt.Sprintf("invalid position %q", name[cut+1:]), Fix: "write a time since launch after the @, such as 1.5s or 00:01.5"}
	}
	return name[:cut], &d, nil
}

// isFolderName reports whether a name without a path is that of a folder. A run has the name of its workload's folder, and
// nothing can be looked at in the folder itself: the run is meant.
func isFolderName(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && !strings.ContainsRune(name, os.PathSeparator)
}

// isFile reports whether a name is that of a file, or can only be meant as one.
func isFile(name string) bool {
	_, err := os.Stat(name)
	return err == nil || !errors.Is(err, fs.ErrNotExist) || strings.ContainsRune(name, os.PathSeparator) || strings.HasSuffix(name, ".mcap")
}
