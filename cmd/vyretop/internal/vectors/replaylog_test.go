package vectors

import (
	"errors"

	"vyretop/megakernel/peer"
)

type replayRecordJSON struct {
	Time   uint64    `json:"timestamp_ns"`
	Slot   uint32    `json:"slot_idx"`
	Tenant uint32    `json:"tenant_id"`
	Opcode uint32    `json:"opcode"`
	Args   [4]uint32 `json:"args"`
	Epoch  uint32    `json:"epoch"`
}

type replayIn struct {
	File          hexBytes           `json:"file_hex"`
	Capacity      uint64             `json:"capacity"`
	Appends       []replayRecordJSON `json:"appends"`
	Reopen        *uint64            `json:"reopen_capacity"`
	AppendsReopen []replayRecordJSON `json:"appends_after_reopen"`
}

type replayOut struct {
	Capacity uint64             `json:"capacity"`
	Cursor   uint64             `json:"cursor"`
	File     hexBytes           `json:"file_hex,omitempty"`
	Records  []replayRecordJSON `json:"records"`
}

func replayed(l *peer.ReplayLog, file hexBytes) (any, error) {
	records, err := l.Records()
	out := replayOut{l.Capacity(), l.Cursor(), file, []replayRecordJSON{}}
	for _, r := range records {
		out.Records = append(out.Records, replayRecordJSON(r))
	}
	return out, err
}

func appendAll(l *peer.ReplayLog, records []replayRecordJSON) (err error) {
	for _, r := range records {
		err = errors.Join(err, l.Append(peer.ReplayRecord(r)))
	}
	return err
}

func replaySession(in replayIn) (any, error) {
	l, err := peer.NewReplayLog(in.Capacity)
	if err != nil {
		return nil, err
	}
	err = appendAll(l, in.Appends)
	if in.Reopen != nil {
		if err := peer.CheckReplayCapacity(*in.Reopen); err != nil {
			return nil, err
		}
		var openErr error
		if l, openErr = peer.OpenReplayLog(l.Bytes()); openErr != nil {
			return nil, openErr
		}
		err = errors.Join(err, appendAll(l, in.AppendsReopen))
	}
	if err != nil {
		return nil, err
	}
	return replayed(l, l.Bytes())
}

var _ = register("replaylog", map[string]operation{
	"session": op(replaySession),
	"open_bytes": stateful(func(in replayIn) (any, map[string]any, error) {
		stage := map[string]any{"stage": "open"}
		if err := peer.CheckReplayCapacity(in.Capacity); err != nil {
			return nil, stage, err
		}
		l, err := peer.OpenReplayLog(in.File)
		if err != nil {
			return nil, stage, err
		}
		out, err := replayed(l, nil)
		return out, map[string]any{"stage": "replay", "opened_capacity": l.Capacity(), "opened_cursor": l.Cursor()}, err
	}),
})

// identifyReplay says of an error about a replay log what the vectors say.
func identifyReplay(e *peer.ReplayError) map[string]any {
	switch {
	case e.Kind == peer.ErrReplayShort:
		return map[string]any{"variant": "Io", "io_op": "read"}
	case e.Kind == peer.ErrReplayFormat:
		return map[string]any{"variant": "HeaderMismatch"}
	case e.Capacity == 0:
		return map[string]any{"variant": "ZeroCapacity"}
	}
	return map[string]any{"variant": "CapacityOverflow", "count": e.Capacity, "max": peer.MaxItems}
}
