package broker

import (
	"context"
	"slices"
	"time"

	"vyretop/engine/fault"
)

// lookTime is the time between two looks at a file of users.
const lookTime = 500 * time.Millisecond

// FollowUsers lets in the users that a file names whenever it changes, until ctx ends. told is told how many there are then, or why the
// file is not used: the users of before stay.
func (b *Broker) FollowUsers(ctx context.Context, file string, told func(users int, err error)) {
	t := time.NewTicker(lookTime)
	defer t.Stop()
	for f := (&follower{broker: b, file: file}); ; {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		if changed, err := f.look(); changed {
			told(len(b.o.Users), err)
		}
	}
}

// follower remembers what looks at a file of users have found.
type follower struct {
	broker      *Broker
	file        string
	last, taken found
	refused     bool // what was taken last could not be used
}

// found is what a look has found: the text, or why there is none.
type found struct {
	looked        bool
	text, problem string
}

// look looks at the file and lets in the users that it names. It reports whether they have changed, or could not. A change counts
// once the file was found the same twice: editors write in several steps.
func (f *follower) look() (changed bool, err error) {
	text, err := readFile(f.file)
	now := found{looked: true, text: string(text)}
	if err != nil {
		now.problem = err.Error()
	}
	settled := now == f.last
	if f.last = now; !settled || now == f.taken {
		return false, nil
	}
	f.taken = now
	var list []User
	if err == nil {
		list, err = parseUsers(f.file, text)
	}
	if err == nil && !f.refused && slices.Equal(list, f.broker.o.Users) {
		return false, nil
	}
	if err == nil {
		err = f.broker.SetUsers(list)
	}
	f.refused = err != nil
	return true, err
}

// SetUsers lets other users in from here on. Clients of users that are not among them, or have another key or password there, are
// disconnected; the others may do what their level then says. With an error, which is ErrUsers or ErrListen, the users of before stay.
func (b *Broker) SetUsers(list []User) error {
	o := b.o
	o.Users = list
	host, _, err := address("--listen", o.Listen)
	if err == nil {
		err = o.secure(host)
	}
	if err != nil {
		return err
	}
	config := b.config.Clone()
	config.Users, config.Nkeys = o.accounts()
	if err := b.server.ReloadOptions(config); err != nil {
		return &fault.Error{Kind: ErrUsers, Detail: "the running server does not take them", Cause: err, Fix: "start the hub again"}
	}
	b.o = o
	return nil
}
