package megakernel

import (
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine/fault"
)

// TaskName is the one way to write the id of a task, in the dashboard, on the command line and in texts: the number, for a
// task that a handler has spawned "+" and its number among those, from 0, and for one that a user has injected "i" and its number among those. JSON has the
// number as it is.
func TaskName(id uint32) string { return string(AppendTaskName(nil, id)) }

// AppendTaskName is TaskName behind dst.
func AppendTaskName(dst []byte, id uint32) []byte {
	switch {
	case id >= SpawnedIDBase:
		dst, id = append(dst, '+'), id-SpawnedIDBase
	case IsInjected(id):
		dst, id = append(dst, 'i'), id-InjectedIDBase
	}
	return strconv.AppendUint(dst, uint64(id), 10)
}

// ErrTaskName is matched by errors about texts that are not ids of tasks.
const ErrTaskName fault.Kind = "invalid task ID"

// ParseTaskName reads what TaskName writes, and the number that JSON has; "#" before either is allowed. The error
// matches ErrTaskName.
func ParseTaskName(text string) (uint32, error) {
	digits := strings.TrimPrefix(text, "#")
	base, most := uint64(0), ^uint64(0)>>32
	number, spawned := strings.CutPrefix(digits, "+")
	if spawned {
		base, most = uint64(SpawnedIDBase), most-uint64(SpawnedIDBase)
	} else if n, injected := strings.CutPrefix(digits, "i"); injected {
		number, base, most = n, uint64(InjectedIDBase), uint64(SpawnedIDBase-InjectedIDBase)-1
	}
	v, err := strconv.ParseUint(number, 0, 32)
	if err != nil || v > most {
		return 0, fmt.Errorf("%w %q. Fix: write a number such as 17, +17 for a spawned task, or i17 for an injected one", ErrTaskName, text)
	}
	return uint32(base + v), nil
}
