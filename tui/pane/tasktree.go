package pane

import "vyretop/tasks"

// Tree moves the children of each task of an order below it, in the order they are in. A task whose
// parent is not in the order is a root.
func (v *Tasks) Tree(o *Order) {
	byID := make(map[uint32]int32, len(o.Rows))
	for _, row := range o.Rows {
		byID[v.word(row, tasks.WordTaskID)] = row
	}
	children := map[int32][]int32{}
	var roots []int32
	for _, row := range o.Rows {
		parent, ok := byID[v.word(row, tasks.WordParentTaskID)]
		if !ok || parent == row || v.word(row, tasks.WordParentTaskID) == 0 {
			roots = append(roots, row)
			continue
		}
		children[parent] = append(children[parent], row)
	}
	v.depth = make([]int32, len(v.slots))
	placed := make([]bool, len(v.slots))
	out := make([]int32, 0, len(o.Rows))
	for _, root := range append(roots, o.Rows...) { // the second time for those in a cycle of parents
		out = v.descend(out, root, children, placed)
	}
	o.Rows = out
}

// descend appends a row and all below it that are not placed yet. A broken kernel can write cycles.
func (v *Tasks) descend(out []int32, root int32, children map[int32][]int32, placed []bool) []int32 {
	for stack := []int32{root}; len(stack) > 0; {
		row := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if placed[row] {
			continue
		}
		placed[row] = true
		out = append(out, row)
		below := children[row]
		for i := len(below) - 1; i >= 0; i-- {
			if !placed[below[i]] {
				v.depth[below[i]] = v.depth[row] + 1
				stack = append(stack, below[i])
			}
		}
	}
	return out
}

func (v *Tasks) word(row int32, word int) uint32 {
	return v.Frame.Snap.Slot(int(v.slots[row]))[word]
}

// maxBranch bounds the columns that a branch takes in front of a name.
const maxBranch = 6

// appendBranch indents a child in a tree.
func (v *Tasks) appendBranch(dst []byte, row int) []byte {
	if row >= len(v.depth) || v.depth[row] == 0 {
		return dst
	}
	for range min(v.depth[row]-1, maxBranch) {
		dst = append(dst, ' ')
	}
	if v.Look.Glyphs.Unicode {
		return append(dst, "└ "...)
	}
	return append(dst, "` "...)
}
