package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
	"vyretop/megakernel/tune"
)

// read carries out requests until the client ends.
func (c *conn) read(ctx context.Context, group *sync.WaitGroup, lines *bufio.Reader) {
	for {
		line, err := readLine(lines)
		if err != nil {
			return
		}
		var r request
		if json.Unmarshal(line, &r) != nil {
			return // not a client of ours
		}
		select {
		case c.pending <- struct{}{}:
		case <-ctx.Done():
			return
		}
		group.Go(func() {
			if answer := c.do(ctx, &r); answer.Error == "" || ctx.Err() == nil {
				c.reply(ctx, answer)
			}
			<-c.pending
		})
	}
}

// reply hands an answer on. There is room for it, also when the connection ends, unless the client takes none.
func (c *conn) reply(ctx context.Context, answer reply) {
	select {
	case c.replies <- answer:
		return
	default:
	}
	select {
	case c.replies <- answer:
	case <-ctx.Done():
	}
}

// answers writes the answers to all requests under way: one of them may have ended the run, and its client waits.
func (c *conn) answers() error {
	late := time.NewTimer(lastAnswers)
	defer late.Stop()
	for under := 0; under < maxPending; { // no request is, once all their places are taken
		select {
		case c.pending <- struct{}{}:
			under++
		case r := <-c.replies:
			if err := c.out.Message(topicReply, r); err != nil {
				return err
			}
		case <-late.C:
			return nil
		}
	}
	for {
		select {
		case r := <-c.replies:
			if err := c.out.Message(topicReply, r); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// do carries out one request.
func (c *conn) do(ctx context.Context, r *request) reply {
	out := reply{ID: r.ID}
	err := c.admit(r)
	if err == nil {
		err = c.carryOut(ctx, r, &out)
	}
	c.audit(r, refusal(err, out.Ack))
	if err != nil {
		out = reply{ID: r.ID, Error: err.Error(), Fault: faultOf(err)}
	}
	return out
}

// refusal is why a request was not carried out, also where only the run's answer says so; nil where it was.
func refusal(err error, a *ack) error {
	if err == nil && a != nil && a.Result != megakernel.AckApplied {
		return &RequestError{Text: a.Result.String()}
	}
	return err
}

// admit rejects what is not exactly one request, and every request but reading from a client without control.
func (c *conn) admit(r *request) error {
	switch n := r.kinds(); {
	case n > 1:
		return &RequestError{Text: fmt.Sprintf("a request must be of one kind, this one has %d; nothing was done. Fix: send one request for each", n)}
	case n == 1 && r.Read == nil && !c.server.steers(c):
		return c.server.withoutControl(c)
	case n == 1 && r.administers() && c.peer.Rights < Administer:
		return &RequestError{Text: fmt.Sprintf("%s may steer the run, not end, reload or record it. Fix: have the hub's administrator give the user the level administer", c.peer.Name), Err: ErrReadOnly}
	}
	return nil
}

func (c *conn) carryOut(ctx context.Context, r *request, out *reply) (err error) {
	hub := c.server.hub
	switch {
	case r.Command != nil:
		var a megakernel.Ack
		a, err = hub.Do(ctx, megakernel.Command(*r.Command))
		out.Ack = &ack{Result: a.Result, Slot: a.Slot, Detail: a.Detail, LatencyNs: int64(a.Latency)}
	case r.Retune != nil:
		err = hub.Retune(ctx, *r.Retune)
	case len(r.Apply) > 0:
		out.Changes, err = hub.Apply(ctx, r.Apply...)
	case r.Try != nil:
		var t tune.Trial
		t, err = hub.Try(ctx, *r.Try)
		out.Trial = &t
	case r.Undo:
		out.Changes, err = hub.Undo(ctx)
	case r.Note != "":
		err = hub.Note(ctx, r.Note)
	case r.Record != nil:
		out.Text, err = hub.Record(ctx, r.Record.File)
	case r.Reload:
		out.Text, err = hub.Reload(ctx)
	case r.Spawn != nil:
		out.Text, err = hub.Spawn(ctx, *r.Spawn)
	case r.Rerun:
		out.Text, err = hub.Rerun(ctx)
	case r.Read != nil:
		out.Words, err = readWords(ctx, hub, r.Read)
	case r.Arm != nil:
		var armed breakpoint.Status
		armed, err = hub.Arm(ctx, *r.Arm)
		out.Armed = &armed
	case r.Break != nil:
		err = changeBreak(ctx, hub, r.Break)
	case r.End == endDrain:
		err = hub.Drain(ctx)
	case r.End == endStop:
		err = hub.Stop(ctx)
	default:
		err = &RequestError{Text: "unknown request. Fix: attach with the vyretop that runs the target"}
	}
	return err
}

// changeBreak carries out a change of a breakpoint.
func changeBreak(ctx context.Context, hub *live.Hub, x *breakChange) error {
	switch x.Do {
	case breakDelete:
		return hub.Disarm(ctx, x.Breakpoint)
	case breakEnable, breakDisable:
		return hub.Enable(ctx, x.Breakpoint, x.Do == breakEnable)
	}
	return &RequestError{Text: fmt.Sprintf("unknown breakpoint request %q. Fix: attach with the vyretop that runs the target", x.Do)}
}

func readWords(ctx context.Context, hub *live.Hub, x *extract) ([]uint32, error) {
	if x.Words < 0 || x.Words > maxExtract {
		return nil, &RequestError{Text: fmt.Sprintf("cannot read %d words at once. Fix: read at most %d", x.Words, maxExtract)}
	}
	words := make([]uint32, x.Words)
	return words, hub.ReadBuffer(ctx, x.Buffer, x.First, words)
}
