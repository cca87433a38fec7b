package policy

import (
	"fmt"
	"strings"

	"vyretop/engine/fault"
)

// Topology says what kind of work a queue holds.
type Topology uint8

// The topologies. NoTopology stands for none before.
const (
	NoTopology Topology = iota
	Empty
	SparseFrontier
	HybridFrontier
	DenseFrontier
	FusedDense
	MemoryConstrained
)

// Pressure says how the queue compares with the lanes of the launch.
type Pressure uint8

// The pressures.
const (
	NoWork    Pressure = iota // the queue is empty
	Light                     // fewer tasks than lanes
	Balanced                  // a task or more for each lane
	Saturated                 // several waves of tasks, or requeues
)

// Mode says how handlers should run.
type Mode uint8

// The modes.
const (
	Interpreter Mode = iota // the generic kernel
	Jit                     // a kernel specialized for what is hot
)

var (
	topologyNames = []string{"", "Empty", "SparseFrontier", "HybridFrontier", "DenseFrontier", "FusedDense", "MemoryConstrained"}
	pressureNames = []string{"Empty", "Light", "Balanced", "Saturated"}
	modeNames     = []string{"Interpreter", "Jit"}
)

// String names the topology; NoTopology has no name.
func (t Topology) String() string { return nameOf(topologyNames, int(t)) }

// String names the pressure.
func (p Pressure) String() string { return nameOf(pressureNames, int(p)) }

// String names the mode.
func (m Mode) String() string { return nameOf(modeNames, int(m)) }

// MarshalText gives the name of the topology.
func (t Topology) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalText gives the name of the pressure.
func (p Pressure) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// MarshalText gives the name of the mode.
func (m Mode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the name of a topology; the empty text is NoTopology.
func (t *Topology) UnmarshalText(text []byte) error {
	i, err := indexOf("topology", topologyNames, string(text))
	*t = Topology(i)
	return err
}

// UnmarshalText reads the name of a pressure.
func (p *Pressure) UnmarshalText(text []byte) error {
	i, err := indexOf("pressure", pressureNames, string(text))
	*p = Pressure(i)
	return err
}

// UnmarshalText reads the name of a mode.
func (m *Mode) UnmarshalText(text []byte) error {
	i, err := indexOf("execution_mode", modeNames, string(text))
	*m = Mode(i)
	return err
}

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown(%d)", i)
}

func indexOf(field string, names []string, name string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	known := strings.TrimPrefix(strings.Join(names, ", "), ", ")
	return 0, &fault.Error{Kind: ErrInput, Detail: field + fmt.Sprintf(" %q is unknown", name), Fix: "use one of " + known}
}
