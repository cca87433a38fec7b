package fleet

import (
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

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
