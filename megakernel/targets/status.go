package targets

import (
	"encoding/json"
	"strconv"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/safe"
	"vyretop/megakernel/stats"
)

// Version is the version of the messages of runs. Screens list targets of another version, and cannot attach to them.
const Version = 1

// ErrStatus is matched by errors about a status that makes no sense.
const ErrStatus fault.Kind = "invalid status of a target"

// Status is what a target says of itself. What is not known is absent.
type Status struct {
	Version  int       `json:"v"`                  // of these messages
	Protocol int       `json:"protocol,omitempty"` // by which clients attach
	ID       string    `json:"id"`
	Name     string    `json:"name"` // of the run on its host
	Host     string    `json:"host"`
	Program  string    `json:"program,omitempty"` // its version
	Workload string    `json:"workload"`
	Label    string    `json:"label,omitempty"`
	Backend  string    `json:"backend"`
	Device   string    `json:"device"`
	Started  time.Time `json:"started"`
	Sent     time.Time `json:"sent"`        // by the target's clock
	Interval int64     `json:"interval_ms"` // to the next status
	Ended    bool      `json:"ended,omitempty"`
	Unsent   uint64    `json:"unsent,omitempty"` // messages that could not be sent so far

	Figures
	// Parts are the devices of a run with several.
	Parts []Part `json:"devices,omitempty"`

	run, runID, whole string // name, ID and devices of the run, where the target is one of its devices
}

// Figures are the metrics of a status, by the names of package stats.
type Figures struct {
	UptimeMs    uint64  `json:"taken_ms"`
	Phase       string  `json:"phase,omitempty"`
	Verdict     string  `json:"verdict,omitempty"`
	Stalled     bool    `json:"stalled,omitempty"`
	Workers     uint64  `json:"workers"`
	Lanes       uint64  `json:"lanes"`
	TasksPerS   *uint64 `json:"tasks_per_s,omitempty"`
	Done        uint64  `json:"done"`
	Faulted     uint64  `json:"faulted"`
	FaultSlots  uint64  `json:"fault_slots,omitempty"`
	QueueDepth  uint64  `json:"queue_depth"`
	Busy        *uint64 `json:"busy_percent,omitempty"`
	Progress    *uint64 `json:"progress_percent,omitempty"`
	LogLost     uint64  `json:"log_lost,omitempty"`
	Utilization *uint64 `json:"device_utilization_percent,omitempty"`
	MemoryUsed  *uint64 `json:"device_memory_used_bytes,omitempty"`
	MemoryTotal *uint64 `json:"device_memory_total_bytes,omitempty"`
	Power       *uint64 `json:"device_power_mw,omitempty"`
	Temperature *uint64 `json:"device_temperature_c,omitempty"`
}

// FiguresOf reads the figures of a sample.
func FiguresOf(s *stats.Sample) (f Figures) {
	number := func(name string) *uint64 {
		if n, ok := stats.MetricNamed(name).Value(s).(uint64); ok {
			return &n
		}
		return nil
	}
	count := func(name string) uint64 {
		if n := number(name); n != nil {
			return *n
		}
		return 0
	}
	f = Figures{
		UptimeMs: count("taken_ms"), Phase: s.Now.Phase.String(), Verdict: string(s.Health().Kind), Stalled: s.Health().Stalled,
		Workers: count("workers"), Lanes: count("lanes"), TasksPerS: number("tasks_per_s"), Done: count("done"), Faulted: count("faulted"), FaultSlots: count("fault_slots"),
		QueueDepth: count("queue_depth"), Busy: number("busy_percent"), Progress: number("progress_percent"), LogLost: count("log_lost"),
		Utilization: number("device_utilization_percent"), MemoryUsed: number("device_memory_used_bytes"),
		MemoryTotal: number("device_memory_total_bytes"), Power: number("device_power_mw"), Temperature: number("device_temperature_c"),
	}
	return f
}

// Describe says what of a target does not change. Device is the part of a renderer's name that tells devices apart.
func Describe(t *megakernel.Target, device func(renderer string) string) Status {
	s := Status{Workload: t.Workload, Label: t.Label, Backend: t.Backend, Device: device(t.Renderer), Started: t.Started}
	for _, renderer := range t.Devices {
		s.Parts = append(s.Parts, Part{Device: device(renderer)})
	}
	return s
}

// Key is an ID as a number; ok is false for any other text.
func Key(id string) (key uint64, ok bool) {
	key, err := strconv.ParseUint(id, 16, 64)
	return key, err == nil && len(id) == idDigits
}

// idDigits is the length of an ID.
const idDigits = 16

// maxStatus bounds a status on its way, in bytes, and maxText a text in it.
const (
	maxStatus = 64 << 10
	maxText   = 256
)

// Parse reads a status and checks it. Of one of another version it reads what it can, at least what names the target. Errors are ErrStatus.
func Parse(data []byte) (*Status, error) {
	invalid := func(detail string) error {
		return &fault.Error{Kind: ErrStatus, Detail: detail, Fix: "run the same version of vyretop on all machines"}
	}
	if len(data) > maxStatus {
		return nil, invalid("it is too long")
	}
	s := &Status{}
	if err := json.Unmarshal(data, s); err != nil {
		if s = identity(data); s == nil {
			return nil, invalid(err.Error())
		}
	}
	for _, text := range []*string{&s.ID, &s.Name, &s.Host, &s.Program, &s.Workload, &s.Label, &s.Backend, &s.Device, &s.Phase, &s.Verdict} {
		if len(*text) > maxText {
			return nil, invalid("a text in it is too long")
		}
		*text = safe.Text(*text)
	}
	if _, ok := Key(s.ID); !ok || s.Name == "" || s.Interval <= 0 {
		return nil, invalid("it names no target")
	}
	if len(s.Parts) > megakernel.MaxDevices {
		return nil, invalid("it has too many devices")
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		if max(len(p.Device), len(p.Phase), len(p.Verdict)) > maxText {
			return nil, invalid("a text in it is too long")
		}
		p.Device, p.Phase, p.Verdict = safe.Text(p.Device), safe.Text(p.Phase), safe.Text(p.Verdict)
	}
	return s, nil
}

// identity reads what names a target from a status of another version, whose other members may mean something else; nil where that cannot
// be read either.
func identity(data []byte) *Status {
	var i struct {
		Version  int       `json:"v"`
		ID       string    `json:"id"`
		Name     string    `json:"name"`
		Host     string    `json:"host"`
		Program  string    `json:"program"`
		Sent     time.Time `json:"sent"`
		Interval int64     `json:"interval_ms"`
		Ended    bool      `json:"ended"`
	}
	if json.Unmarshal(data, &i) != nil || i.Version == Version {
		return nil
	}
	return &Status{Version: i.Version, ID: i.ID, Name: i.Name, Host: i.Host, Program: i.Program, Sent: i.Sent, Interval: i.Interval, Ended: i.Ended}
}
