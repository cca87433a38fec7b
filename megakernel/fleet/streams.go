package fleet

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// subjectStreams is one of those by which streams are asked for.
const subjectStreams = "$JS.API.STREAM.INFO.vyretop"

// Streams is the interface to streams and object stores of the hub. The error is nats.ErrPermissionViolation for a user who may not use them:
// the hub would not answer.
func (h *Hub) Streams() (jetstream.JetStream, error) {
	if !h.allows(subjectStreams) {
		return nil, nats.ErrPermissionViolation
	}
	return jetstream.New(h.Conn)
}

// wantedReplicas is how many servers of a cluster keep what must survive the loss of one.
const wantedReplicas = 3

// ReplicasOf is how many servers of a cluster keep a stream: three where there are as many.
func ReplicasOf(servers int) int {
	if servers >= wantedReplicas {
		return wantedReplicas
	}
	return 1
}

// Replicas is how many servers of this hub keep a stream.
func (h *Hub) Replicas() int { return ReplicasOf(len(h.Servers())) }

// OutOfOrder reports whether a hub has refused a message because its subject has others than were expected.
func OutOfOrder(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// DropReader deletes what a hub keeps for a reader of a stream. It would be kept for five minutes, and the number of them is limited.
func DropReader(s jetstream.Stream, reader jetstream.Consumer) {
	info := reader.CachedInfo()
	if info == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	_ = s.DeleteConsumer(ctx, info.Name) // a hub that does not answer deletes it later
}
