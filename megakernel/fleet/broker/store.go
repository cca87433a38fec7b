package broker

import (
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

// ErrStore: the folder for streams cannot be used.
const ErrStore fault.Kind = "the hub cannot use its folder"

// lockName is the file by which a hub marks its folder.
const lockName = "hub.lock"

// claimStore marks a folder of streams as one that this hub uses until the file is closed: two servers would each write over what the
// other one keeps. It returns nil where there is no folder.
func claimStore(dir string) (*os.File, error) {
	if dir == "" {
		return nil, nil
	}
	err := os.MkdirAll(dir, 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrStore, Subject: "--store " + dir, Cause: err, Fix: "name a folder that can be written to with --store"}
	}
	if !plainfile.Hold(f) {
		_ = f.Close() // nothing was written
		return nil, &fault.Error{Kind: ErrStore, Subject: "--store " + dir, Detail: "another hub uses this folder", Fix: "give each hub a folder of its own with --store"}
	}
	return f, nil
}

// closeStore gives the folder back.
func closeStore(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// storeRetry is the time between two looks at whether the server keeps streams, and toldAgain after how long it is told again that it
// does not.
const (
	storeRetry = 2 * time.Second
	toldAgain  = time.Minute
)

// watchStore starts the streams of the server again when its folder has no room: it gives up those that it cannot write, for good, and
// says so in its log only. The limits are those of the start: the server would take those of the folder as it is now, which may be nothing.
func (b *Broker) watchStore(limits *server.JetStreamConfig) {
	look := time.NewTicker(storeRetry)
	defer look.Stop()
	var told time.Time
	for {
		select {
		case <-b.ended:
			return
		case <-b.o.full:
			_ = b.server.DisableJetStream() // a stream that could not be written stays so until it is started again
		case now := <-look.C:
			if b.server.JetStreamEnabled() {
				continue
			}
			if now.Sub(told) > toldAgain {
				b.trouble(&fault.Error{Kind: ErrStore, Subject: "--store " + b.o.Store, Detail: "it has no room: queues, recordings and the audit stand still", Fix: "make room there; the hub then continues by itself"})
				told = now
			}
			_ = b.server.EnableJetStream(&server.JetStreamConfig{
				StoreDir: b.o.Store, CompressOK: true, Strict: true, MaxMemory: limits.MaxMemory, MaxStore: limits.MaxStore,
			}) // it is tried again
		}
	}
}

// trouble tells of an error, where someone listens.
func (b *Broker) trouble(err error) {
	if b.o.Trouble != nil {
		b.o.Trouble(err)
	}
}
