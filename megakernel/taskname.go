package megakernel

import (
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine/fault"
)

// TaskName is the one way to write the id of a task, in the dashboard, on the command line and in texts: the number, and
// for a task that a handler has spawned "+" and its number among those, from 0. JSON has the number as it is.
func TaskName(id uint32) string { return string(AppendTaskName(nil, id)) }

// AppendTaskName is TaskName behind dst.
func AppendTaskName(dst []byte, id uint32) []byte {
	if id >= SpawnedIDBase {
		dst, id = append(dst, '+'), id-SpawnedIDBase
	}
	return strconv.AppendUint(dst, uint64(id), 10)
}

// ErrTaskName is matched by errors about texts that are not ids of tasks.
const ErrTaskName fault.Kind = "invalid task ID"

// ParseTaskName reads what TaskName writes, and the number that JSON has; "#" before either is allowed. The error
// matches ErrTaskName.
func ParseTaskName(text string) (uint32, error) {
	digits := strings.TrimPrefix(text, "#")
	number, spawned := strings.CutPrefix(digits, "+")
	v, err := strconv.ParseUint(number, 0, 32)
	if err != nil || spawned && v > ^uint64(0)>>32-uint64(SpawnedIDBase) {
		return 0, fmt.Errorf("%w %q. Fix: write a number such as 17, or +17 for a spawned task", ErrTaskName, text)
	}
	if spawned {
		v += uint64(SpawnedIDBase)
	}
	return uint32(v), nil
}
