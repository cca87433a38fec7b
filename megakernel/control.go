package megakernel

import (
	"fmt"
)

// Word indices of the control buffer.
const (
	CtrlShutdown       = 0 // host: non-zero ends the kernel for good
	CtrlDoneCount      = 1 // tasks that ended in state Done
	CtrlTenantBase     = 2 // holds CtrlTenantMask0
	CtrlTenantMask0    = 3 // Tenants masks; non-zero = the tenant may run
	CtrlTenantQuota0   = 32
	CtrlTenantFair0    = 64 // activations served, by tenant
	CtrlMetrics0       = 96 // activations, by opcode below MetricOpcodes
	CtrlEpoch          = 128
	CtrlPriorityOffset = 129 // five partition starts and an end
	CtrlStarvation     = 135 // claims that served a starved priority
	CtrlPriorityFair0  = 136 // activations served, by the priority that they were served as (PriorityOffsetSetting, AgingSetting)
	CtrlQuotaWaits     = 141 // ours: bit t is set while tenant t waits for its next quota
	CtrlReserved0      = 142
	CtrlObservable0    = 160
	ControlMinWords    = 160
)

// Sizes in the control buffer.
const (
	Tenants       = 29 // tenant ids 0..28
	QuotaWords    = 32
	MetricOpcodes = 32
	DefaultQuota  = 1_000_000
	QuotaSpan     = 64 // a quota above that many times the smallest one counts as that: the others would wait too long
)

// CtrlKept reports whether a resident kernel keeps a word itself: what it counts, and what says where the
// masks are. It publishes these words now and then; operations of tasks can read them but not write them.
func CtrlKept(word uint32) bool {
	return word == CtrlDoneCount || word == CtrlTenantBase ||
		word >= CtrlTenantFair0 && word <= CtrlEpoch || word >= CtrlStarvation && word < CtrlReserved0
}

// CtrlCounts reports whether the kernel counts in a word: that of a target with several devices is their sum.
func CtrlCounts(word uint32) bool {
	return word == CtrlDoneCount || word >= CtrlTenantFair0 && word < CtrlEpoch || word >= CtrlStarvation && word < CtrlQuotaWaits
}

// CtrlOwner is the command that changes what a word of the control buffer is about, for a word that an edit would
// not: one that the kernel keeps, or reads only when it is told to. It is "" for words that can be edited, and "-" for
// those that nothing changes.
func CtrlOwner(word uint32) string {
	switch {
	case word == CtrlShutdown:
		return "stop"
	case word == CtrlEpoch:
		return "epoch +1"
	case word >= CtrlTenantMask0 && word < CtrlTenantMask0+Tenants:
		return fmt.Sprintf("set tenant-mask.%d=0", word-CtrlTenantMask0)
	case word >= CtrlTenantQuota0 && word < CtrlTenantQuota0+Tenants:
		return fmt.Sprintf("set tenant-quota.%d=500", word-CtrlTenantQuota0)
	case CtrlKept(word), word >= CtrlTenantQuota0 && word < CtrlTenantFair0, word >= CtrlPriorityOffset && word < CtrlStarvation:
		return "-"
	}
	return ""
}

// MaxObservables bounds the words behind the control buffer that a kernel may declare.
const MaxObservables = 1 << 20

// EncodeControl makes a fresh control buffer: the masks of the first tenants all ones, their quotas
// DefaultQuota, and as many zeroed observable words as asked for behind the 160 fixed ones. A number
// of tenants above what the buffer has words for means all of them.
func EncodeControl(tenants, observables uint32) ([]uint32, error) {
	if observables > MaxObservables {
		return nil, malformed("control", 0, fmt.Sprintf("%d observable words asked for, at most %d fit", observables, MaxObservables), "ask for fewer")
	}
	words := make([]uint32, ControlMinWords+observables)
	words[CtrlTenantBase] = CtrlTenantMask0
	for i := range min(tenants, Tenants) {
		words[CtrlTenantMask0+i] = ^uint32(0)
	}
	for i := range min(tenants, QuotaWords) {
		words[CtrlTenantQuota0+i] = DefaultQuota
	}
	return words, nil
}

// Control is a decoded control buffer.
type Control struct {
	Shutdown        uint32
	DoneCount       uint32
	TenantMask      [Tenants]uint32
	TenantQuota     [QuotaWords]uint32
	TenantFair      [QuotaWords]uint32
	Metrics         [MetricOpcodes]uint32
	Epoch           uint32
	PriorityOffsets [6]uint32
	Starvation      uint32
	PriorityFair    [5]uint32
	QuotaWaits      uint32   // bit t: tenant t waits for its next quota
	Observables     []uint32 // aliases the words given to DecodeControl
}

// DecodeControl reads a control buffer strictly: at least ControlMinWords words, and word
// CtrlTenantBase as EncodeControl writes it.
func DecodeControl(words []uint32) (*Control, error) {
	c := new(Control)
	if err := c.Decode(words); err != nil {
		return nil, err
	}
	return c, nil
}

// Decode is DecodeControl into a Control that is there. On an error c is unchanged.
func (c *Control) Decode(words []uint32) error {
	if len(words) < ControlMinWords {
		return shortBuffer("control", len(words), ControlMinWords)
	}
	if words[CtrlTenantBase] != CtrlTenantMask0 {
		return malformed("control", CtrlTenantBase, fmt.Sprintf("tenant base is %d, expected %d", words[CtrlTenantBase], CtrlTenantMask0), "check that this is a control buffer and was not overwritten")
	}
	c.Shutdown, c.DoneCount = words[CtrlShutdown], words[CtrlDoneCount]
	c.Epoch, c.Starvation, c.QuotaWaits = words[CtrlEpoch], words[CtrlStarvation], words[CtrlQuotaWaits]
	c.Observables = words[CtrlObservable0:]
	copy(c.TenantMask[:], words[CtrlTenantMask0:])
	copy(c.TenantQuota[:], words[CtrlTenantQuota0:])
	copy(c.TenantFair[:], words[CtrlTenantFair0:])
	copy(c.Metrics[:], words[CtrlMetrics0:])
	copy(c.PriorityOffsets[:], words[CtrlPriorityOffset:])
	copy(c.PriorityFair[:], words[CtrlPriorityFair0:])
	return nil
}

// ControlWordName names word i of the control buffer as tools print it.
func ControlWordName(i int) string {
	switch {
	case i < 0:
		return "?"
	case i < CtrlTenantMask0:
		return [...]string{"shutdown", "done_count", "tenant_base"}[i]
	case i < CtrlTenantQuota0:
		return fmt.Sprintf("tenant_mask[%d]", i-CtrlTenantMask0)
	case i < CtrlTenantFair0:
		return fmt.Sprintf("tenant_quota[%d]", i-CtrlTenantQuota0)
	case i < CtrlMetrics0:
		return fmt.Sprintf("tenant_served[%d]", i-CtrlTenantFair0)
	case i < CtrlEpoch:
		return fmt.Sprintf("metric[op %d]", i-CtrlMetrics0)
	case i == CtrlEpoch:
		return "epoch"
	case i < CtrlStarvation:
		return fmt.Sprintf("priority_offset[%d]", i-CtrlPriorityOffset)
	case i == CtrlStarvation:
		return "starvation"
	case i < CtrlQuotaWaits:
		return fmt.Sprintf("priority_served[%d]", i-CtrlPriorityFair0)
	case i == CtrlQuotaWaits:
		return "quota_waits"
	case i < CtrlObservable0:
		return fmt.Sprintf("reserved[%d]", i-CtrlQuotaWaits) // as the peer numbers them
	default:
		return fmt.Sprintf("observable[%d]", i-CtrlObservable0)
	}
}
