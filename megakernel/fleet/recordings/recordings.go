// Package recordings keeps recordings at a hub with streams: in the object store vyretop-recordings, by their names. The name of a
// recording of a hub on a command line is its address, "/recordings/" and its name.
package recordings

import (
	"context"
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
	"vyretop/megakernel/fleet"
)

// ErrRecordings is matched by errors about recordings of a hub.
const ErrRecordings fault.Kind = "recordings of the hub"

// bucket is the object store, Prefix what comes before the name of a recording in the name of a target of a hub.
const (
	bucket = "vyretop-recordings"
	Prefix = "recordings/"
)

// Kept is a recording at a hub.
type Kept struct {
	Name     string    `json:"name"`
	Bytes    uint64    `json:"bytes"`
	Modified time.Time `json:"modified"`
	From     string    `json:"from,omitempty"` // the machine
}

func failure(name string, err error) error {
	e := &fault.Error{Kind: ErrRecordings, Subject: "recording " + name, Cause: err, Fix: "see whether the hub is there, and has room, and try again"}
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound), errors.Is(err, jetstream.ErrBucketNotFound), errors.Is(err, jetstream.ErrStreamNotFound):
		e.Detail, e.Cause, e.Fix = "the hub has none of this name", nil, "vyretop hub recordings lists them"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		e.Detail, e.Cause, e.Fix = "the hub keeps no recordings", nil, "start it with `vyretop hub --store FOLDER`"
	}
	return e
}

// headerFrom says which machine a recording is of.
const headerFrom = "Vyretop-From"

// Check returns an error for a file that is not a recording: nothing else gets to where others read it. Errors are those of
// fixtures.Open.
func Check(file string) error {
	r, err := fixtures.Open(file)
	if err != nil {
		return err
	}
	return r.Close()
}

// Put keeps a recording under the name of its file, in place of one of that name. Errors are ErrRecordings and those of Check.
func Put(ctx context.Context, h *fleet.Hub, file, host string) (name string, err error) {
	name = filepath.Base(file)
	if err := Check(file); err != nil {
		return name, err
	}
	f, err := plainfile.Open(file)
	if err != nil {
		return name, plainfile.Failure("read", file, err, plainfile.Fix(err))
	}
	defer f.Close()
	js, err := jetstream.New(h.Conn)
	if err != nil {
		return name, failure(name, err)
	}
	s, err := js.ObjectStore(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		s, err = js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket})
	}
	if err != nil {
		return name, failure(name, err)
	}
	_, err = s.Put(ctx, jetstream.ObjectMeta{Name: name, Headers: nats.Header{headerFrom: []string{host}}}, f)
	if err != nil {
		return name, failure(name, err)
	}
	return name, nil
}

// Get writes a recording of a hub into a folder and returns the file. Errors are ErrRecordings and those of files.
func Get(ctx context.Context, h *fleet.Hub, name, dir string) (file string, err error) {
	if name == "" || filepath.Base(name) != name {
		return "", failure(name, jetstream.ErrObjectNotFound)
	}
	js, err := jetstream.New(h.Conn)
	if err != nil {
		return "", failure(name, err)
	}
	s, err := js.ObjectStore(ctx, bucket)
	if err != nil {
		return "", failure(name, err)
	}
	o, err := s.Get(ctx, name)
	if err != nil {
		return "", failure(name, err)
	}
	defer o.Close()
	file = filepath.Join(dir, name)
	if err := plainfile.Put(file, 0o600, func(w io.Writer) error { _, err := io.Copy(w, o); return err }); err != nil {
		_ = os.Remove(file) // it is not whole
		return "", failure(name, err)
	}
	return file, nil
}

// Copy is the copy of a recording of a hub on this machine.
type Copy struct {
	File string
	dir  string
}

// Fetch copies a recording of a hub into a folder of its own among the temporary files. Errors are those of Get.
func Fetch(ctx context.Context, h *fleet.Hub, name string) (*Copy, error) {
	dir, err := os.MkdirTemp("", "vyretop-")
	if err != nil {
		return nil, err
	}
	c := &Copy{dir: dir}
	if c.File, err = Get(ctx, h, name, dir); err != nil {
		c.Remove()
		return nil, err
	}
	return c, nil
}

// Remove removes the copy. It returns no error: the command that has read the copy can do nothing about one.
func (c *Copy) Remove() { _ = os.RemoveAll(c.dir) }

// Named is the name of the recording of a hub that the name of a target means, and the address of the hub; ok is false for another target.
func Named(target string) (hub, name string, ok bool) {
	hub, rest, ok := fleet.SplitTarget(target)
	if !ok {
		return "", "", false
	}
	name, ok = strings.CutPrefix(rest, Prefix)
	return hub, name, ok
}

// List are the recordings of a hub, in the order of their names.
func List(ctx context.Context, h *fleet.Hub) (list []Kept, err error) {
	js, err := jetstream.New(h.Conn)
	if err != nil {
		return nil, failure("", err)
	}
	s, err := js.ObjectStore(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, failure("", err)
	}
	all, err := s.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, failure("", err)
	}
	for _, o := range all {
		list = append(list, Kept{Name: o.Name, Bytes: o.Size, Modified: o.ModTime, From: o.Headers.Get(headerFrom)})
	}
	slices.SortFunc(list, func(a, b Kept) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
