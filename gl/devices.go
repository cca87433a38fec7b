//go:build cgo && egl

package gl

import (
	"fmt"
	"sort"

	"vyretop/gl/egl"
)

// Devices lists everything that Open may be asked to use, each once.
func Devices() ([]DeviceInfo, error) {
	found := egl.Devices()
	out := make([]DeviceInfo, len(found))
	for i, d := range found {
		out[i] = describe(i, d)
	}
	return out, nil
}

func describe(index int, d egl.Device) DeviceInfo {
	node := d.DRMNode
	if node == "" {
		node = d.RenderNode
	}
	return DeviceInfo{Index: index, Platform: string(d.Platform), Name: d.Name, DRMNode: node, Software: d.Software()}
}

// candidates returns the devices to try, best first: the one asked for, or hardware before
// software and named devices before a platform's own choice.
func candidates(want int) ([]egl.Device, []DeviceInfo, error) {
	found := egl.Devices()
	infos := make([]DeviceInfo, len(found))
	for i, d := range found {
		infos[i] = describe(i, d)
	}
	if want == AutoDevice {
		sort.Stable(byPreference{found, infos})
		return found, infos, nil
	}
	if want < 0 || want >= len(found) {
		are := fmt.Sprintf("the devices are 0 to %d", len(found)-1)
		if len(found) == 1 {
			are = "the only device is 0"
		}
		return nil, nil, invalid(fmt.Sprintf("open device %d", want), are, "choose one that `vyretop doctor` lists")
	}
	return found[want : want+1], infos[want : want+1], nil
}

// byPreference sorts devices and their descriptions together.
type byPreference struct {
	devices []egl.Device
	infos   []DeviceInfo
}

func (p byPreference) Len() int           { return len(p.infos) }
func (p byPreference) Less(i, j int) bool { return rank(p.infos[i]) < rank(p.infos[j]) }
func (p byPreference) Swap(i, j int) {
	p.devices[i], p.devices[j] = p.devices[j], p.devices[i]
	p.infos[i], p.infos[j] = p.infos[j], p.infos[i]
}

func rank(d DeviceInfo) int {
	switch {
	case d.Platform != string(egl.PlatformDevice):
		return 1
	case d.Software:
		return 2
	default:
		return 0
	}
}
