package vitals

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Reason is a set of reasons why the clocks of a device are below their maximum.
type Reason uint32

// The reasons.
const (
	Idle Reason = 1 << iota // nothing runs
	ApplicationClocks
	PowerCap
	HardwareSlowdown // temperature or power, seen by the hardware
	SyncBoost
	ThermalSoftware
	ThermalHardware
	PowerBrake
	DisplayClocks
	numReasons = iota
)

var reasonNames = [numReasons]string{
	"idle", "application clocks", "power cap", "hardware slowdown", "sync boost", "thermal (software)", "thermal (hardware)", "power brake", "display clocks",
}

// Names are the names of the reasons.
func (r Reason) Names() []string {
	out := []string{}
	for i, name := range reasonNames {
		if r&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// String lists the reasons; "none" where there are none.
func (r Reason) String() string {
	if names := r.Names(); len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return "none"
}

// Slowed reports whether something other than a lack of work or a setting holds the clocks down.
func (r Reason) Slowed() bool {
	return r&(PowerCap|HardwareSlowdown|ThermalSoftware|ThermalHardware|PowerBrake) != 0
}

// MarshalJSON gives the list of names.
func (r Reason) MarshalJSON() ([]byte, error) { return json.Marshal(r.Names()) }

// UnmarshalJSON reads a list of names. A name that this version does not know is passed over.
func (r *Reason) UnmarshalJSON(b []byte) error {
	var names []string
	if err := json.Unmarshal(b, &names); err != nil {
		return fmt.Errorf("throttle reasons: %w", err)
	}
	*r = 0
	for _, name := range names {
		if i := slices.Index(reasonNames[:], name); i >= 0 {
			*r |= 1 << i
		}
	}
	return nil
}
