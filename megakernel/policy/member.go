package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// Member is a number of a Request. Flags, the dashboard and the documentation have the members of this table.
type Member struct {
	Name  string // in JSON; flags have - for _
	Usage string
	Most  uint64

	ZeroUnknown bool // 0 says that the number is not known

	// Field is where a request has it: a pointer to an unsigned number.
	Field func(*Request) any
}

// Members are the members of a request.
var Members = []Member{
	member("queue_len", "tasks that may run now", func(r *Request) *uint32 { return &r.QueueLen }),
	member("requested_worker_groups", "requested workgroups; 0 for the default of the limits", func(r *Request) *uint32 { return &r.Groups }),
	member("max_workgroup_size_x", "limit of the device: lanes of a workgroup along x", func(r *Request) *uint32 { return &r.MaxWidth }),
	member("max_compute_workgroups_per_dimension", "limit of the device: workgroups along x", func(r *Request) *uint32 { return &r.MaxGroups }),
	member("max_compute_invocations_per_workgroup", "limit of the device: total lanes of a workgroup", func(r *Request) *uint32 { return &r.MaxInvocations }),
	member("requested_hit_capacity", "hit capacity; 0 to compute it", func(r *Request) *uint32 { return &r.HitCapacity }),
	member("expected_hits_per_item", "hits of a task; 0 counts as 1", func(r *Request) *uint32 { return &r.HitsPerItem }),
	member("hot_opcode_count", "number of hot opcodes: those of many tasks", func(r *Request) *uint32 { return &r.HotOpcodes }),
	member("hot_window_count", "number of hot windows: those of several tasks", func(r *Request) *uint32 { return &r.HotWindows }),
	zeroUnknown("graph_node_count", "nodes of the graph; 0 for unknown", func(r *Request) *uint32 { return &r.GraphNodes }),
	zeroUnknown("graph_edge_count", "edges of the graph; 0 for unknown", func(r *Request) *uint32 { return &r.GraphEdges }),
	zeroUnknown("frontier_density_bps", "share of queued nodes, in 1/10000; 0 to derive it", func(r *Request) *uint16 { return &r.FrontierDensityBps }),
	member("memory_pressure_bps", "share of used memory, in 1/10000; 0 to derive it", func(r *Request) *uint16 { return &r.MemoryPressureBps }),
	member("resident_device_bytes", "device memory in use", func(r *Request) *uint64 { return &r.ResidentDeviceBytes }),
	zeroUnknown("device_memory_budget_bytes", "device memory budget; 0 for no limit", func(r *Request) *uint64 { return &r.DeviceMemoryBudgetBytes }),
	member("requeue_count", "requeues so far", func(r *Request) *uint64 { return &r.RequeueCount }),
	member("max_priority_age", "age of the oldest task, in ticks", func(r *Request) *uint32 { return &r.MaxPriorityAge }),
}

func member[T uint16 | uint32 | uint64](name, usage string, field func(*Request) *T) Member {
	return Member{
		Name: name, Usage: usage, Most: uint64(^T(0)),
		Field: func(r *Request) any { return field(r) },
	}
}

func zeroUnknown[T uint16 | uint32 | uint64](name, usage string, field func(*Request) *T) Member {
	m := member(name, usage, field)
	m.ZeroUnknown = true
	return m
}

// Get returns the member of a request.
func (m *Member) Get(r *Request) uint64 { return m.number(r).Uint() }

// Set changes the member of a request. A value above Most becomes Most.
func (m *Member) Set(r *Request, v uint64) { m.number(r).SetUint(min(v, m.Most)) }

func (m *Member) number(r *Request) reflect.Value { return reflect.ValueOf(m.Field(r)).Elem() }

// Flag is the name of the member's flag.
func (m *Member) Flag() string { return strings.ReplaceAll(m.Name, "_", "-") }

// ParseChange reads NAME=VALUE: the number of a member, which JSON or a flag names so, and a value that it can have. The error is ErrInput.
func ParseChange(text string) (i int, value uint64, err error) {
	name, number, found := strings.Cut(text, "=")
	i = slices.IndexFunc(Members, func(m Member) bool { return name == m.Name || name == m.Flag() })
	if i < 0 {
		return 0, 0, &fault.Error{Kind: ErrInput, Detail: fmt.Sprintf("unknown member %q of the request", name), Fix: "use one of " + strings.Join(MemberNames(), ", ")}
	}
	m := &Members[i]
	if value, err = units.Parse(number, 64); err != nil || value > m.Most || !found {
		return 0, 0, &fault.Error{Kind: ErrInput, Subject: m.Name, Detail: fmt.Sprintf("invalid value %q", number), Fix: fmt.Sprintf("use a whole number from 0 to %d", m.Most)}
	}
	return i, value, nil
}

// MemberNames lists the names of the members.
func MemberNames() []string {
	names := make([]string, len(Members))
	for i := range Members {
		names[i] = Members[i].Name
	}
	return names
}
