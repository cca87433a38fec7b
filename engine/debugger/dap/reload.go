package dap

import (
	"github.com/google/go-dap"

	"vyretop/engine/debugger/attach"
)

// reloadBody is the answer to a reload request, which is not of the protocol.
type reloadBody struct {
	Text string `json:"text"` // what was done
}

// reload has the run that is attached take its handlers as they are on disk. Sources are asked for again afterwards.
func reload(s *server, _ request) (any, error) {
	var r attach.Reloader
	if s.live != nil {
		r, _ = s.live.run.(attach.Reloader)
	}
	if r == nil {
		return nil, invalid("only the handlers of a live run can be reloaded", "attach to a run that vyretop run has started from a folder")
	}
	text, err := r.Reload(s.ctx)
	if err != nil {
		return nil, err
	}
	return afterwards{reloadBody{text}, func() {
		s.say("console", "reloaded: "+text)
		s.out.event("invalidated", dap.InvalidatedEventBody{Areas: []dap.InvalidatedAreas{"all"}})
	}}, nil
}
