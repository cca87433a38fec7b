package vectors

import (
	"errors"
	"strings"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// identify says of an error of ours what the peer's vectors say of theirs: a stable code, or a variant
// and its numbers.
func identify(err error) map[string]any {
	var backend *engine.Error
	var buffer *peer.BufferError
	var format *fault.Error
	var replay *peer.ReplayError
	switch {
	case errors.As(err, &replay):
		return identifyReplay(replay)
	case errors.As(err, &buffer) && buffer.Buffer == "io_queue":
		return map[string]any{"variant": "Backend"}
	case errors.As(err, &buffer):
		return map[string]any{"variant": variants[buffer.Kind], "buffer": buffer.Buffer, "word_idx": buffer.Word, "byte_len": buffer.Bytes}
	case errors.Is(err, megakernel.ErrFormat) && errors.As(err, &format):
		buffer, _, _ := strings.Cut(format.Subject, " buffer")
		return map[string]any{"variant": "ByteLengthOverflow", "buffer": buffer}
	case errors.Is(err, peer.ErrPublish), errors.Is(err, peer.ErrQueueSlot), errors.Is(err, stats.ErrSize):
		return map[string]any{"variant": "QueueFull"}
	case errors.Is(err, stats.ErrCounter):
		return map[string]any{"variant": "Backend"}
	case errors.As(err, &backend):
		return map[string]any{"code": codeNames[backend.Code], "stable_id": backend.Code, "requested": backend.Requested, "available": backend.Available}
	case errors.Is(err, policy.ErrInput), errors.Is(err, policy.ErrOverflow),
		errors.Is(err, tasks.ErrTransition), errors.Is(err, tasks.ErrCounter), errors.Is(err, tasks.ErrWord), errors.Is(err, tasks.ErrLength):
		return map[string]any{"code": "Unknown", "stable_id": engine.CodeUnknown, "variant": "QueueFull"}
	}
	return map[string]any{"unidentified": err.Error()}
}

var variants = map[error]string{
	peer.ErrMisaligned: "MisalignedByteLength", peer.ErrMissingWord: "MissingWord", peer.ErrTooLong: "ByteLengthOverflow",
}

var codeNames = map[engine.ErrorCode]string{
	engine.CodeDeviceOutOfMemory: "DeviceOutOfMemory", engine.CodeUnsupportedFeature: "UnsupportedFeature",
	engine.CodePoisoned: "PoisonedLock", engine.CodeKernelCompileFailed: "KernelCompileFailed",
	engine.CodeDispatchFailed: "DispatchFailed", engine.CodeInvalidProgram: "InvalidProgram",
	engine.CodeCooperativeResidencyExceeded: "CooperativeResidencyExceeded", engine.CodeDeviceLost: "DeviceLost",
	engine.CodeUnknown: "Unknown",
}

var _ = register("errors", map[string]operation{
	"stable_id": op(func(in struct{ Code string }) (any, error) {
		for code, name := range codeNames {
			if name == in.Code {
				return map[string]any{"stable_id": code}, nil
			}
		}
		return nil, errors.New("unknown code " + in.Code)
	}),
})
