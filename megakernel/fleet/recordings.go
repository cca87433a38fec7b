package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/fixtures"
)

// ErrRecordings is matched by errors about recordings of a hub.
const ErrRecordings fault.Kind = "recordings of the hub"

// A hub with streams keeps recordings in the object store recordingStore, by their names. The name of a recording of a hub on a
// command line is its address, "/", RecordingPrefix and its name.
const (
	recordingStore  = "vyretop-recordings"
	RecordingPrefix = "recordings/"
)

// Recording is a recording at a hub.
type Recording struct {
	Name     string    `json:"name"`
	Bytes    uint64    `json:"bytes"`
	Modified time.Time `json:"modified"`
	From     string    `json:"from,omitempty"`    // the machine
	Open     bool      `json:"open,omitempty"`    // it is written, or its end was lost
	Growing  bool      `json:"growing,omitempty"` // it is written
}

// growTime is how old the description of a recording becomes at most while it is written.
const growTime = 10 * time.Second

// recordingOf is what an object says. now is by the clock of the hub, as the time of the object is: that of this machine may differ.
func recordingOf(o *jetstream.ObjectInfo, now time.Time) Recording {
	r := Recording{Name: o.Name, Bytes: o.Size, Modified: o.ModTime, From: o.Headers.Get(headerFrom), Open: o.Headers.Get(headerOpen) != ""}
	r.Growing = r.Open && now.Sub(o.ModTime) < growTime
	return r
}

// hubTime is the time by the clock of the hub.
func hubTime(ctx context.Context, js jetstream.JetStream) (time.Time, error) {
	s, err := js.Stream(ctx, objectStream)
	if err != nil {
		return time.Time{}, err
	}
	return s.CachedInfo().TimeStamp, nil
}

func recordingFailure(name string, err error) error {
	e := &fault.Error{Kind: ErrRecordings, Subject: "recording " + name, Cause: err, Fix: "see whether the hub is there, and has room, and try again"}
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound), errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
		e.Detail, e.Cause, e.Fix = "the hub has none of this name", nil, "vyretop hub recordings lists them"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		e.Detail, e.Cause, e.Fix = "the hub keeps no recordings", nil, FixStore
	case errors.Is(err, nats.ErrPermissionViolation):
		e.Detail, e.Cause, e.Fix = "the hub does not allow this user to use its recordings", nil, "have its administrator make the user with --runs or --level administer"
	default:
		explained(e, err)
	}
	return e
}

// headerFrom says which machine a recording is of.
const headerFrom = "Vyretop-From"

// CheckRecording returns an error for a file that is not a recording: nothing else gets to where others read it. Errors are those of
// fixtures.Open.
func CheckRecording(file string) error {
	r, err := fixtures.Open(file)
	if err != nil {
		return err
	}
	return r.Close()
}

// PutRecording keeps a recording under the name of its file, in place of one of that name. Errors are ErrRecordings and those of CheckRecording.
func (h *Hub) PutRecording(ctx context.Context, file, host string) (name string, err error) {
	name = filepath.Base(file)
	if err := CheckRecording(file); err != nil {
		return name, err
	}
	u, err := h.UploadRecording(ctx, name, host)
	if err != nil {
		return name, err
	}
	u.patience = putTime
	written := make(chan struct{})
	close(written)
	return name, u.Follow(ctx, file, written)
}

// putTime is how long a hub may refuse a part of a recording that is not written any longer.
const putTime = 30 * time.Second

// recordingStore is the object store, which is made where it is missing.
func (h *Hub) recordingStore(ctx context.Context, js jetstream.JetStream) (jetstream.ObjectStore, error) {
	s, err := js.ObjectStore(ctx, recordingStore)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		s, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: recordingStore, Replicas: h.Replicas()})
	}
	return s, err
}

// getRecording writes a recording of a hub, one that is written up to here, into a folder and returns the file. Errors are ErrRecordings
// and those of files.
func (h *Hub) getRecording(ctx context.Context, name, dir string) (file string, growing bool, err error) {
	if !IsRecordingName(name) {
		return "", false, recordingFailure(name, jetstream.ErrObjectNotFound)
	}
	js, err := h.Streams()
	if err != nil {
		return "", false, recordingFailure(name, err)
	}
	s, err := js.ObjectStore(ctx, recordingStore)
	if err != nil {
		return "", false, recordingFailure(name, err)
	}
	info, err := s.GetInfo(ctx, name)
	if err != nil {
		return "", false, recordingFailure(name, err)
	}
	file = filepath.Join(dir, name)
	if err := plainfile.Put(file, 0o600, func(w io.Writer) error { return copyOf(ctx, js, info, w) }); err != nil {
		_ = os.Remove(file) // it is not whole
		return "", false, recordingFailure(name, err)
	}
	now, err := hubTime(ctx, js)
	return file, err == nil && recordingOf(info, now).Growing, nil
}

// partTime is how long a hub may take to send the next part, and partsAhead how many of them may be under way.
const (
	partTime   = 30 * time.Second
	partsAhead = 32
)

// copyOf copies what the description of an object says: of one that is written there may be more. It waits for as long as parts come;
// the reader of package jetstream ends after five seconds, however large the object is.
func copyOf(ctx context.Context, js jetstream.JetStream, info *jetstream.ObjectInfo, w io.Writer) error {
	s, err := js.Stream(ctx, objectStream)
	if err != nil {
		return err
	}
	c, err := s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{partSubject + info.NUID}})
	if err != nil {
		return err
	}
	defer DropReader(s, c)
	messages, err := c.Messages(jetstream.PullMaxMessages(partsAhead))
	if err != nil {
		return err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	hash := sha256.New()
	for left := info.Size; left > 0; {
		m, err := messages.Next(jetstream.NextMaxWait(partTime))
		if err != nil {
			return cmp.Or(ctx.Err(), err)
		}
		part := m.Data()
		part = part[:min(uint64(len(part)), left)]
		hash.Write(part)
		if _, err := w.Write(part); err != nil {
			return err
		}
		left -= uint64(len(part))
	}
	if jetstream.GetObjectDigestValue(hash) != info.Digest {
		return jetstream.ErrDigestMismatch
	}
	return nil
}

// RecordingCopy is the copy of a recording of a hub on this machine.
type RecordingCopy struct {
	File string
	dir  string
	held *os.File // marks the copy as one that is written still; nil where it is not
}

// FetchRecording copies a recording of a hub into a folder of its own among the temporary files. Errors are ErrRecordings and those of files.
func (h *Hub) FetchRecording(ctx context.Context, name string) (*RecordingCopy, error) {
	dir, err := os.MkdirTemp("", "vyretop-")
	if err != nil {
		return nil, err
	}
	c := &RecordingCopy{dir: dir}
	growing := false
	if c.File, growing, err = h.getRecording(ctx, name, dir); err != nil {
		c.Remove()
		return nil, err
	}
	if growing { // that it has no end means no damage
		if c.held, err = os.OpenFile(c.File, os.O_RDWR, 0); err == nil {
			plainfile.Hold(c.held)
		}
	}
	return c, nil
}

// Remove removes the copy. It returns no error: the command that has read the copy can do nothing about one.
func (c *RecordingCopy) Remove() {
	if c.held != nil {
		_ = c.held.Close()
	}
	_ = os.RemoveAll(c.dir)
}

// IsRecordingName reports whether a recording of a hub can have a name: one that a file in a folder can have.
func IsRecordingName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, `/\`)
}

// RecordingNamed is the name of the recording of a hub that the name of a target means, and the address of the hub; ok is false for another target.
func RecordingNamed(target string) (hub, name string, ok bool) {
	hub, rest, ok := SplitTarget(target)
	if !ok {
		return "", "", false
	}
	name, ok = strings.CutPrefix(rest, RecordingPrefix)
	return hub, name, ok
}

// Recordings are the recordings of a hub, in the order of their names.
func (h *Hub) Recordings(ctx context.Context) (list []Recording, err error) {
	js, err := h.Streams()
	if err != nil {
		return nil, recordingFailure("", err)
	}
	s, err := js.Stream(ctx, objectStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, recordingFailure("", err)
	}
	all, err := descriptions(ctx, s)
	if err != nil {
		return nil, recordingFailure("", err)
	}
	for _, o := range all {
		list = append(list, recordingOf(o, s.CachedInfo().TimeStamp))
	}
	slices.SortFunc(list, func(a, b Recording) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// descriptions are the objects of a stream. Messages that describe none are left out: the lister of package jetstream waits for ever where
// one is the last message.
func descriptions(ctx context.Context, s jetstream.Stream) (list []*jetstream.ObjectInfo, err error) {
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(describeSubject+">"))
	if err != nil || len(info.State.Subjects) == 0 {
		return nil, err
	}
	c, err := s.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{describeSubject + ">"}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy})
	if err != nil {
		return nil, err
	}
	defer DropReader(s, c)
	messages, err := c.Messages()
	if err != nil {
		return nil, err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	for {
		m, err := messages.Next(jetstream.NextMaxWait(partTime))
		if err != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		o := &jetstream.ObjectInfo{}
		if json.Unmarshal(m.Data(), o) == nil && !o.Deleted && IsRecordingName(o.Name) {
			o.ModTime = meta.Timestamp
			list = append(list, o)
		}
		if meta.NumPending == 0 {
			return list, nil
		}
	}
}
