package megakernel

import "fmt"

// FaultCode is what the kernel itself leaves in continuation_data of a task it faults. Handlers use
// codes from FaultUser on.
type FaultCode uint32

// The kernel's fault codes.
const (
	FaultUnknownOpcode FaultCode = 1 // no handler is bound to the opcode
	FaultTenantRange   FaultCode = 2 // tenant id of 29 or more
	FaultBudget        FaultCode = 3 // the handler ran past its iteration budget
	FaultPriority      FaultCode = 4 // priority word above 4
	FaultState         FaultCode = 5 // claimed in a state that is not schedulable
	FaultCounter       FaultCode = 6 // a counter word is at its maximum
	FaultOutcome       FaultCode = 7 // the handler asked for an outcome that does not exist, or that its slot cannot have
	FaultPacked        FaultCode = 8 // the operations of a packed slot do not fit the slot
	FaultPage          FaultCode = 9 // it asked for a page that does not exist

	// Answers of the host to requests for pages.
	FaultRead      FaultCode = 10 // the file could not be read
	FaultShortRead FaultCode = 11 // the file ended before the end of the page
	FaultRequest   FaultCode = 12 // the request is none that the host can serve

	// FaultUser is the first code for handlers.
	FaultUser FaultCode = 0x100
)

var faultTexts = map[FaultCode]string{
	FaultUnknownOpcode: "no handler is bound to its opcode",
	FaultTenantRange:   "its tenant id is 29 or more",
	FaultBudget:        "its handler ran past the iteration budget",
	FaultPriority:      "its priority is above 4",
	FaultState:         "it was queued in a state that cannot run",
	FaultCounter:       "one of its counters is at its maximum",
	FaultOutcome:       "its handler asked for an unknown outcome",
	FaultPacked:        "its packed operations do not fit the slot",
	FaultPage:          "it asked for a page that does not exist",
	FaultRead:          "a file that it needs could not be read",
	FaultShortRead:     "a file that it needs has become shorter",
	FaultRequest:       "the host refused its request for a page",
}

// OfKernel reports whether the kernel or the host ends tasks with the code; others are of handlers.
func (c FaultCode) OfKernel() bool { return faultTexts[c] != "" }

// String says the code in words.
func (c FaultCode) String() string {
	if t, ok := faultTexts[c]; ok {
		return t
	}
	if c >= FaultUser {
		return fmt.Sprintf("handler code 0x%x", uint32(c))
	}
	return fmt.Sprintf("code %d", uint32(c))
}
