package peer

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"vyretop/megakernel"
)

// WriteText prints the log for people, oldest record first. Times count from the
// first one.
func (l *ReplayLog) WriteText(w io.Writer) error {
	records, err := l.Records()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "replay log of the published peer: %d of %d records\n\n", len(records), l.Capacity())
	if len(records) > 0 {
		fmt.Fprintf(t, "time\tslot\ttenant\topcode\targuments\tepoch\n")
	}
	for _, r := range records {
		fmt.Fprintf(t, "%v\t%d\t%d\t%s\t%d\t%d\n", time.Duration(r.Time-records[0].Time), r.Slot, r.Tenant, opcodeText(r.Opcode), r.Args, r.Epoch)
	}
	return t.Flush()
}

// opcodeText shows the name of an operation of the protocol, or a number.
func opcodeText(op uint32) string {
	if name, ok := megakernel.OpcodeName(op); ok {
		return name
	}
	return fmt.Sprintf("%#x", op)
}
