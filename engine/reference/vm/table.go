package vm

// Kind says what an operand of an operation is.
type Kind uint8

// The kinds of an operand.
const (
	KindNone     Kind = iota
	KindDst           // writes N registers
	KindDst1          // writes one register
	KindSrc           // reads N registers
	KindSrc1          // reads one register
	KindSrc1Opt       // reads one register, or absent
	KindSrc2          // reads two registers
	KindMask          // a mask
	KindMaskOpt       // a mask, or absent
	KindForward       // jump target further down, at a construct's else, join, rejoin, merge or end
	KindBackward      // jump target further up
	KindAccess        // index in Code.Accesses
)

// Info describes one operation.
type Info struct {
	Name  string
	Kinds [4]Kind // of D, A, B, C

	run      func(*Group, *step)     // over all lanes, or the active ones
	runConst func(*Group, *step)     // the same when B is one constant; may be nil
	jump     func(*Group, *step) int // instead of run, when the operation decides what runs next
}

// row is an entry of a family's table.
type row struct {
	op   Op
	info Info
}

// Ops is the table of all operations, indexed by Op.
var Ops = buildOps(controlOps, moveOps, memoryOps, atomicOps, laneOps, divisionOps, floatOps, convertOps,
	bitOps, packOps, reduceOps, mathOps, subgroupOps)

func buildOps(families ...[]row) []Info {
	list := make([]Info, opCount)
	for _, rows := range families {
		for _, r := range rows {
			if list[r.op].Name != "" {
				panic("BUG: operation " + r.info.Name + " has the number of " + list[r.op].Name)
			}
			list[r.op] = r.info
		}
	}
	return list
}

// String gives the operation's name.
func (op Op) String() string {
	if int(op) >= len(Ops) {
		return "invalid"
	}
	return Ops[op].Name
}

// The operand kinds of the lanewise operations.
var (
	lane1 = [4]Kind{KindDst, KindSrc}
	lane2 = [4]Kind{KindDst, KindSrc, KindSrc}
	lane3 = [4]Kind{KindDst, KindSrc, KindSrc, KindSrc}
)
