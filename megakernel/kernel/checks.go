package kernel

import (
	"vyretop/engine"
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Checked lists the accesses out of range that the kernel has noticed (Config.IndexChecks), from its outbox. Each is
// listed once, with the number of times since launch at least.
func (k *Kernel) Checked(outbox engine.Words) (list []engine.Undefined) {
	for i := range k.IndexChecks() {
		if words := outbox[k.ChecksAt()+i*megakernel.CheckWords:]; words.Load(megakernel.CheckValid) != 0 {
			list = append(list, checked(&k.Program.Tree.IndexChecks[i], words))
		}
	}
	return list
}

func checked(c *tree.IndexCheck, words engine.Words) engine.Undefined {
	worker := words.Load(megakernel.CheckWorker)
	task := make([]uint32, tasks.SlotWords) // the kernel keeps these two words of it
	task[tasks.WordTaskID], task[tasks.WordOpcode] = words.Load(megakernel.CheckTask), words.Load(megakernel.CheckOpcode)
	return engine.Undefined{
		Pos: c.Pos, What: c.Kind.String() + " out of range", Times: uint64(words.Load(megakernel.CheckTimes)), AtLeast: true,
		First: &engine.UndefinedAt{
			Workgroup: int(worker & 0xFFFF), Lane: int(worker >> 16), Function: c.Function.Name,
			Index: words.Load(megakernel.CheckIndex), Len: words.Load(megakernel.CheckLength),
			Structs: map[string][]uint32{"Task": task},
		},
	}
}
