package command

import (
	"regexp"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/words"
)

// kernelName is a word of the control buffer, or a slot of the ring, as tools print them.
var kernelName = regexp.MustCompile(`\bcontrol\.[a-z_]+(?:\[(?:op )?[0-9]+\])?|\bring\.slot\b`)

// kernelNames writes the names of an expression that only tools have as kernels write them: control.epoch as control[128], and
// ring.slot[3].param as slot[3].param.
func kernelNames(text string) (out string, err error) {
	out = kernelName.ReplaceAllStringFunc(text, func(name string) string {
		if name == "ring.slot" {
			return "slot"
		}
		p, failed := new(words.Names).Find(name, func(string) int { return megakernel.ControlMinWords })
		if failed != nil && err == nil {
			err = &fault.Error{Kind: ErrCommand, Subject: name, Detail: "unknown word of the control buffer", Fix: "use a name that vyretop words --buffer control prints, or control[N]"}
		}
		return p.String()
	})
	return out, err
}
