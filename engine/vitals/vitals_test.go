package vitals

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"vyretop/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestMarkFindsTheDeviceInUse: by UUID where the driver tells it, else only where a name leaves no choice.
func TestMarkFindsTheDeviceInUse(t *testing.T) {
	for name, c := range map[string]struct {
		names []string
		id    engine.Identity
		want  int // -1: none
	}{
		"uuid":                {[]string{"H100", "H100"}, engine.Identity{UUID: "b", Renderer: "H100/PCIe"}, 1},
		"unknown uuid":        {[]string{"H100", "H100"}, engine.Identity{UUID: "C", Renderer: "H100/PCIe"}, -1},
		"address":             {[]string{"H100", "H100"}, engine.Identity{PCI: "0000:0B:00.0", Renderer: "H100/PCIe"}, 1},
		"one of this name":    {[]string{"T4", "H100"}, engine.Identity{Renderer: "H100/PCIe"}, 1},
		"several of the name": {[]string{"H100", "H100", "H100"}, engine.Identity{Renderer: "H100/PCIe"}, -1},
		"none of the name":    {[]string{"T4", ""}, engine.Identity{Renderer: "llvmpipe"}, -1},
	} {
		var list []Device
		for i, n := range c.names {
			list = append(list, Device{Name: n, UUID: "GPU-" + string(rune('A'+i)), PCI: fmt.Sprintf("0000:%02x:00.0", 10+i)})
		}
		Mark(list, c.id)
		for i, d := range list {
			if d.InUse != (i == c.want) {
				t.Errorf("%s: device %d in use: %v", name, i, d.InUse)
			}
		}
	}
}

func TestReadingSurvivesJSON(t *testing.T) {
	in := Reading{[]Device{{Index: 1, Name: "x", InUse: true, Utilization: engine.Known(uint32(0)), Throttle: engine.Known(PowerCap | Idle)}, {}}}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out Reading
	if err := json.Unmarshal(text, &out); err != nil || out.Devices[0] != in.Devices[0] || out.Devices[1] != in.Devices[1] {
		t.Errorf("%v, %v from %s", out, err, text)
	}
	if s := string(text); strings.Contains(s, "power_mw") || !strings.Contains(s, `"utilization_percent":0`) || !strings.Contains(s, `["idle","power cap"]`) {
		t.Errorf("absent values are left out, zeros are not: %s", s)
	}
}

// slowSource is read as often as it is told to.
type slowSource struct {
	reads  chan int
	closed chan struct{}
}

func (s *slowSource) Read() []Device {
	n, ok := <-s.reads
	if !ok {
		return nil
	}
	return []Device{{Index: n}}
}
func (s *slowSource) Close() { close(s.closed) }

// TestASlowLibraryHoldsNothingUp: readers get the last reading while the library is busy, and the end waits for it.
func TestASlowLibraryHoldsNothingUp(t *testing.T) {
	src := &slowSource{reads: make(chan int), closed: make(chan struct{})}
	tick, marked := make(chan time.Time), make(chan struct{})
	s := Sample(func() (Source, bool) { return src, true }, tick, func(d []Device) { d[0].InUse = true; marked <- struct{}{} })
	if r := s.Latest(); r.Target() != nil {
		t.Errorf("%v before the first reading", r)
	}
	src.reads <- 5
	<-marked
	tick <- time.Time{} // taken after the reading was published; the next one waits for the library
	if d := s.Latest().Target(); d == nil || d.Index != 5 {
		t.Errorf("the newest reading is of %v", d)
	}
	close(src.reads)
	s.Close()
	<-src.closed
	if d := s.Latest().Target(); d == nil || d.Index != 5 {
		t.Errorf("a failed reading replaced the last one: %v", d)
	}
}

func TestAHostWithoutDevices(t *testing.T) {
	s := Sample(func() (Source, bool) { return nil, false }, nil, nil)
	s.Close()
	if s.Latest() != nil {
		t.Error("a reading without a source")
	}
	var none *Sampler
	none.Close()
	if none.Latest() != nil {
		t.Error("a reading without a sampler")
	}
}
