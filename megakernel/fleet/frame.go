package fleet

import "encoding/binary"

// The kinds of frames.
const (
	frameData  = 'D'
	frameAck   = 'A'
	framePing  = 'P'
	frameEnd   = 'F'
	frameClose = 'C'
)

// frameHead is the bytes in front of the data.
const frameHead = 9

// window is how many bytes may be under way in each direction, maxFrame how many of them one frame has.
const (
	window   = 1 << 20
	maxFrame = 64 << 10
)

// appendFrame appends a frame.
func appendFrame(dst []byte, kind byte, position uint64, data []byte) []byte {
	dst = binary.BigEndian.AppendUint64(append(dst, kind), position)
	return append(dst, data...)
}

// parseFrame takes a frame apart; ok is false for what is none.
func parseFrame(b []byte) (kind byte, position uint64, data []byte, ok bool) {
	if len(b) < frameHead || len(b) > frameHead+maxFrame {
		return 0, 0, nil, false
	}
	kind, data = b[0], b[frameHead:]
	switch kind {
	case frameData:
		ok = len(data) > 0
	case frameAck, framePing, frameEnd, frameClose:
		ok = len(data) == 0
	}
	return kind, binary.BigEndian.Uint64(b[1:]), data, ok
}
