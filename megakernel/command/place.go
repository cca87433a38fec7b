package command

import (
	"context"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/words"
)

// Buffers is a Target whose workload has buffers that can be read and edited.
type Buffers interface {
	// Buffers are those of the workload.
	Buffers() []megakernel.BufferInfo
	// ReadBuffer copies words of a buffer, from number first on, until dst is full.
	ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error
}

// placed makes the command of an edit of a named word: of the control buffer, or of one of the workload's.
func (o *Order) placed(ctx context.Context, t Target, s *megakernel.Snapshot) (megakernel.Command, error) {
	c := megakernel.Command{Op: megakernel.OpEditControl}
	source, _ := t.(Buffers)
	var list []megakernel.BufferInfo
	if source != nil {
		list = source.Buffers()
	}
	names := words.For(list)
	at, err := names.Find(o.Edit.Word, func(buffer string) int { return len(words.Of(s, buffer)) })
	if err != nil {
		return c, err
	}
	own := names.Own(at.Buffer)
	switch {
	case at.Words != 1:
		return c, &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: o.Edit.Word + " is more than one word", Fix: "name one of its members, as vyretop words prints them"}
	case own != nil && own.Binding < megakernel.FirstUserBinding, own == nil && at.Buffer != words.Control:
		return c, &fault.Error{Kind: ErrCommand, Subject: o.Verb, Detail: "the words of " + at.Buffer + " are the kernel's own", Fix: "edit the control buffer, a buffer of the workload, or a word of a task: edit task ID WORD VALUE"}
	}
	c.Arg = uint32(at.Index)
	if c.Desired, err = o.Edit.ValueAs(at.Kind); err != nil {
		return c, err
	}
	if own == nil {
		if err := Kept(at.Index); err != nil {
			return c, err
		}
		c.Expected = s.Control[at.Index]
		return c, nil
	}
	var held [1]uint32
	err = source.ReadBuffer(ctx, at.Buffer, at.Index, held[:])
	c.Op, c.Slot, c.Expected = megakernel.OpEditBuffer, own.Binding, held[0]
	return c, err
}
