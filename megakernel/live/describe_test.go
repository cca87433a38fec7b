package live

import (
	"math"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/layout"
	"vyretop/tasks"
)

// TestEditsAreToldByDeclaredNames: an edit of a float was told as "binding 8, word 1 from 0 to 1069547520".
func TestEditsAreToldByDeclaredNames(t *testing.T) {
	float := layout.Type{Name: "float", Kind: layout.Float, Width: 1, Words: 1}
	whole := layout.Type{Name: "uint", Kind: layout.Uint, Width: 1, Words: 1}
	buffers := []megakernel.BufferInfo{{Name: "gate", Binding: 8, Words: 2, Layout: &layout.Type{
		Name: "Gate", Words: 2, Members: []layout.Member{{Name: "open", Type: &whole}, {Name: "level", Offset: 1, Type: &float}},
	}}}
	for want, c := range map[string]megakernel.Command{
		"edit gate.level from 0 to 1.5":                        {Op: megakernel.OpEditBuffer, Slot: 8, Arg: 1, Desired: math.Float32bits(1.5)},
		"edit gate.open from 0 to 7":                           {Op: megakernel.OpEditBuffer, Slot: 8, Desired: 7},
		"edit word 3 of the buffer with binding 9 from 0 to 7": {Op: megakernel.OpEditBuffer, Slot: 9, Arg: 3, Desired: 7},
		"edit control.epoch from 0 to 7":                       {Op: megakernel.OpEditControl, Arg: megakernel.CtrlEpoch, Desired: 7},
		"edit param of task 5 from 0 to 7":                     {Op: megakernel.OpEditTask, Task: 5, Arg: tasks.WordParam, Desired: 7},
		"edit word 99 of task 5 from 0 to 7":                   {Op: megakernel.OpEditTask, Task: 5, Arg: 99, Desired: 7},
	} {
		if got := describe(c, buffers); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
