package fleet

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/plainfile"
)

// The subjects of objects, as NATS defines them (ADR-20): those of the parts of one, and of what describes it.
const (
	partSubject     = "$O." + recordingStore + ".C."
	describeSubject = "$O." + recordingStore + ".M."
	objectStream    = "OBJ_" + recordingStore
)

// headerOpen marks a recording that is written, or whose end was lost.
const headerOpen = "Vyretop-Open"

// The times and sizes of an upload.
const (
	partBytes  = 128 << 10
	lookTime   = time.Second     // between two looks for what was written
	uploadWait = 5 * time.Second // for the hub to take a part
)

// Upload puts a recording at a hub while it is written. What the hub has is a whole object at any time: the description is renewed
// behind the parts, so that others read the recording up to there, also after the end of the process that writes it.
type Upload struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	info   jetstream.ObjectInfo
	hash   hash.Hash
	last   uint64 // sequence of the last part
	told   uint64 // bytes that the hub's description has
	before string // parts of the recording that this one replaces; "" for none
	// patience is how long the hub may take for one part, or refuse it; 0: as long as the context lasts.
	patience time.Duration
}

// UploadRecording begins a recording at the hub, in place of one of its name. Errors are ErrRecordings.
func (h *Hub) UploadRecording(ctx context.Context, name, host string) (*Upload, error) {
	u := &Upload{hash: sha256.New()}
	u.info = jetstream.ObjectInfo{Bucket: recordingStore, NUID: rand.Text(), ObjectMeta: jetstream.ObjectMeta{
		Name: name, Headers: nats.Header{headerFrom: []string{host}, headerOpen: []string{"yes"}}, Opts: &jetstream.ObjectMetaOptions{ChunkSize: partBytes},
	}}
	var err error
	if u.js, err = h.Streams(); err != nil {
		return nil, recordingFailure(name, err)
	}
	s, err := h.recordingStore(ctx, u.js)
	if err != nil {
		return nil, recordingFailure(name, err)
	}
	if old, err := s.GetInfo(ctx, name, jetstream.GetObjectInfoShowDeleted()); err == nil && Token(old.NUID) == old.NUID { // it becomes a part of a subject
		u.before = old.NUID
	}
	if u.stream, err = u.js.Stream(ctx, objectStream); err != nil {
		return nil, recordingFailure(name, err)
	}
	return u, nil
}

// Follow uploads a file until written is closed, and what was written by then. While the hub cannot be reached it tries again; it
// ends with an ErrRecordings when ctx does.
func (u *Upload) Follow(ctx context.Context, file string, written <-chan struct{}) error {
	look := time.NewTicker(lookTime)
	defer look.Stop()
	var f *os.File
	defer func() {
		if f != nil {
			_ = f.Close() // nothing was written
		}
	}()
	for over := false; ; {
		select {
		case <-written:
			over = true
		case <-look.C:
		case <-ctx.Done():
			return recordingFailure(u.info.Name, context.Cause(ctx))
		}
		if f == nil {
			if f, _ = plainfile.Open(file); f == nil && !over {
				continue // it is made soon
			}
		}
		if err := u.take(ctx, f, over); err != nil || over {
			return err
		}
	}
}

// take uploads what a file has beyond what the hub has.
func (u *Upload) take(ctx context.Context, f *os.File, over bool) error {
	part := make([]byte, partBytes)
	for f != nil {
		n, err := f.ReadAt(part, int64(u.info.Size))
		if err != nil && !errors.Is(err, io.EOF) {
			return plainfile.Failure("read", f.Name(), err, plainfile.Fix(err))
		}
		if n == 0 {
			break
		}
		if err := u.retry(ctx, func(ctx context.Context) error { return u.put(ctx, part[:n]) }); err != nil {
			return err
		}
	}
	if over {
		delete(u.info.Headers, headerOpen)
	}
	if u.info.Size == 0 || u.told == u.info.Size && !over {
		return nil // what was never begun replaces nothing
	}
	return u.retry(ctx, u.describe)
}

// retry does something until the hub has taken it, or patience or ctx ends.
func (u *Upload) retry(ctx context.Context, do func(context.Context) error) error {
	for began := time.Now(); ; {
		limited, cancel := context.WithTimeout(ctx, uploadWait)
		err := do(limited)
		cancel()
		if err == nil {
			return nil
		}
		if u.patience > 0 && time.Since(began) > u.patience {
			return recordingFailure(u.info.Name, err)
		}
		select {
		case <-time.After(lookTime):
		case <-ctx.Done():
			return recordingFailure(u.info.Name, context.Cause(ctx))
		}
	}
}

// put publishes a part. The hub takes it behind the one before only: a part whose answer was lost is not there twice.
func (u *Upload) put(ctx context.Context, part []byte) error {
	subject := partSubject + u.info.NUID
	ack, err := u.js.Publish(ctx, subject, part, jetstream.WithExpectLastSequencePerSubject(u.last))
	if err == nil {
		u.last = ack.Sequence
	} else if !OutOfOrder(err) || !u.has(ctx, part) {
		return err
	}
	u.hash.Write(part)
	u.info.Size += uint64(len(part))
	u.info.Chunks++
	return nil
}

// has reports whether a part is the last one of the hub.
func (u *Upload) has(ctx context.Context, part []byte) bool {
	m, err := u.stream.GetLastMsgForSubject(ctx, partSubject+u.info.NUID)
	if err != nil || !bytes.Equal(m.Data, part) {
		return false
	}
	u.last = m.Sequence
	return true
}

// describe renews the description, by which others read.
func (u *Upload) describe(ctx context.Context) error {
	u.info.Digest = jetstream.GetObjectDigestValue(u.hash)
	text, err := json.Marshal(&u.info)
	if err != nil {
		return err
	}
	m := nats.NewMsg(describeSubject + base64.URLEncoding.EncodeToString([]byte(u.info.Name)))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = text
	if _, err := u.js.PublishMsg(ctx, m); err != nil {
		return err
	}
	u.told = u.info.Size
	if u.before != "" {
		if err := u.stream.Purge(ctx, jetstream.WithPurgeSubject(partSubject+u.before)); err != nil {
			return err
		}
		u.before = ""
	}
	return nil
}
