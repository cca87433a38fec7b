package resident

import (
	"slices"

	"vyretop/megakernel"
)

// A round of quotas (kernel/glsl/quota.glsl) must be long against what it costs: at its end tasks of
// tenants that have waited are looked for, slot by slot; and it ends late by up to as many activations as
// the workers run between two looks at the counts. So the kernel works with a multiple of the quotas that
// gives the smallest one several times as much.
const (
	roundLength = 4       // times the slots, or the activations between two looks, for the smallest quota
	longestTurn = 1 << 24 // of the smallest quota: QuotaSpan times that still fits a word
)

// quotasOf reads the quotas of a control buffer: DefaultQuota for 0, and also for more.
func quotasOf(control []uint32) (quotas [megakernel.Tenants]uint32) {
	for t := range quotas {
		quotas[t] = min(control[megakernel.CtrlTenantQuota0+t]-1, megakernel.DefaultQuota-1) + 1
	}
	return quotas
}

// quotaFactor is that multiple for the quotas of a control buffer.
func (t *tuning) quotaFactor(control []uint32) uint32 {
	now, quotas := t.inForce(), quotasOf(control)
	return quotaFactor(slices.Min(quotas[:]), t.kernel.Config.Slots, now.Workers*now.Lanes*passes)
}

func quotaFactor(smallest uint32, slots, betweenLooks int) uint32 {
	turn := uint32(min(roundLength*max(slots, betweenLooks), longestTurn))
	return (turn + smallest - 1) / smallest
}
