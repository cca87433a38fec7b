package device

import (
	"vyretop/gl"
)

// All lists the GPUs that the backend can be asked for; the best device alone where there is none.
func All(backend string) ([]int, error) {
	best := []int{AutoDevice}
	if backend == Reference {
		return best, nil
	}
	found, err := gl.Devices()
	if err != nil {
		if backend == Auto {
			return best, nil // Open says why there is none
		}
		return nil, unavailable(err)
	}
	var list []int
	for _, d := range found {
		if d.GPU() {
			list = append(list, d.Index)
		}
	}
	if len(list) == 0 {
		return best, nil
	}
	return list, nil
}
