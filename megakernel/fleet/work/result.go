package work

import (
	"context"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"vyretop/engine/fault"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/workload"
)

// The headers of a result.
const (
	headerWorker = "Vyretop-Worker"
	headerFailed = "Vyretop-Failed" // why; absent for a task that was done
	headerObject = "Vyretop-Object" // where the data are, if not in the message
)

// Bounds of results, in bytes.
const (
	maxMessage = 512 << 10 // of the data in a message
	maxResult  = 1 << 30   // of the data, unpacked
)

var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxResult))
)

// put publishes the result of a task. It reports false where there is one already.
func (q *Queue) put(ctx context.Context, worker string, task int, data []byte, failed string) (first bool, err error) {
	m := nats.NewMsg(doneSubject(q.Name, task))
	m.Header.Set(headerWorker, worker)
	if failed != "" {
		m.Header.Set(headerFailed, failed)
	}
	m.Data = packer.EncodeAll(data, nil)
	if len(m.Data) > maxMessage {
		if err := q.putObject(ctx, m, task); err != nil {
			return false, err
		}
	}
	_, err = q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
	if fleet.OutOfOrder(err) { // its subject has one
		return false, nil
	}
	return err == nil, err
}

// putObject puts the data of a result into the object store.
func (q *Queue) putObject(ctx context.Context, m *nats.Msg, task int) error {
	s, err := q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket(q.Name), Replicas: q.hub.Replicas()})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("result-%d", task)
	if _, err := s.PutBytes(ctx, name, m.Data); err != nil {
		return err
	}
	m.Header.Set(headerObject, name)
	m.Data = nil
	return nil
}

// get reads the result of a task; ok is false where there is none.
func (q *Queue) get(ctx context.Context, done jetstream.Stream, task int) (data []byte, failed string, ok bool, err error) {
	m, err := steady(ctx, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return done.GetLastMsgForSubject(ctx, doneSubject(q.Name, task))
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, "", false, nil
	}
	if err != nil {
		return nil, "", false, failure(q.Name, err)
	}
	packed := m.Data
	if name := m.Header.Get(headerObject); name != "" {
		packed, err = steady(ctx, func(ctx context.Context) ([]byte, error) {
			return q.getObject(ctx, name)
		})
		if err != nil {
			return nil, "", false, failure(q.Name, err)
		}
	}
	data, err = unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, "", false, workload.BadResult(q.Job.Workload, err.Error())
	}
	return data, m.Header.Get(headerFailed), true, nil
}

// getObject reads the data of a result from the object store.
func (q *Queue) getObject(ctx context.Context, name string) ([]byte, error) {
	s, err := q.js.ObjectStore(ctx, bucket(q.Name))
	if err != nil {
		return nil, err
	}
	info, err := s.GetInfo(ctx, name)
	if err != nil {
		return nil, err
	}
	if info.Size > maxResult {
		return nil, workload.BadResult(q.Job.Workload, fmt.Sprintf("it has %d bytes", info.Size))
	}
	return s.GetBytes(ctx, name)
}

// Collect has a workload take in the results of all tasks but those that mine says it has done itself. With failed tasks the error is
// ErrFailed, and the rest is taken in.
func (q *Queue) Collect(ctx context.Context, w workload.Queued, mine func(task int) bool) error {
	if err := q.Job.check(q.Name, w.Inputs()); err != nil {
		return err
	}
	done, err := q.stream(ctx, doneStream(q.Name))
	if err != nil {
		return failure(q.Name, err)
	}
	bad, why := 0, ""
	for task := range q.Job.Tasks {
		if mine(task) {
			continue
		}
		data, failed, ok, err := q.get(ctx, done, task)
		switch {
		case err != nil:
			return err
		case !ok:
			return &fault.Error{Kind: ErrQueue, Subject: "queue " + q.Name, Detail: fmt.Sprintf("task %d is not done", task), Fix: "wait until all are, with `vyretop queue " + q.Name + " --wait`"}
		case failed != "":
			bad, why = bad+1, failed
			continue
		}
		if err := w.Unpack(q.Job.units(task), data); err != nil {
			return err
		}
	}
	if bad > 0 {
		return &fault.Error{Kind: ErrFailed, Subject: "queue " + q.Name, Detail: fmt.Sprintf("%d of %d tasks failed: %s", bad, q.Job.Tasks, why), Fix: "see what is wrong with their inputs, and submit the work again under another name"}
	}
	return nil
}
