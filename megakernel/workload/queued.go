package workload

import (
	"encoding/json"

	"vyretop/engine/fault"
)

// ErrResult is matched by errors about results of other processes that make no sense.
const ErrResult fault.Kind = "invalid result of another process"

// BadResult is an ErrResult of a workload.
func BadResult(name, detail string) error {
	return &fault.Error{Kind: ErrResult, Subject: name, Detail: "a result from the queue is invalid: " + detail, Fix: "run the same version of vyretop on all machines, and submit the work again"}
}

// UnpackJSON reads results that are a list with an element for each unit, of units that the work has. Errors are ErrResult.
func UnpackJSON[T any](name string, data []byte, list *[]T, units []int, have int) error {
	if err := json.Unmarshal(data, list); err != nil {
		return BadResult(name, err.Error())
	}
	if len(*list) != len(units) {
		return BadResult(name, "it is of another number of units")
	}
	for _, u := range units {
		if u < 0 || u >= have {
			return BadResult(name, "it is of units that the work does not have")
		}
	}
	return nil
}
