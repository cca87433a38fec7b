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
	KindSrc4          // reads four registers
	KindDst64         // writes 2N registers: N components of 64 bits
	KindDst1x64       // writes two registers
	KindSrc64         // reads 2N registers
	KindMask          // a mask
	KindMaskOpt       // a mask, or absent
	KindForward       // jump target further down, at a construct's else, join, rejoin, merge or end
	KindBackward      // jump target further up
	KindAccess        // index in Code.Accesses
)

// Registers is how many registers an operand of an instruction on n components has; 0 if it is none.
func (k Kind) Registers(n int) int {
	switch k {
	case KindDst, KindSrc:
		return n
	case KindDst1, KindSrc1, KindSrc1Opt:
		return 1
	case KindSrc2, KindDst1x64:
		return 2
	case KindSrc4:
		return 4
	case KindDst64, KindSrc64:
		return 2 * n
	}
	return 0
}

// Writes reports whether an operand is a register that is written.
func (k Kind) Writes() bool {
	return k == KindDst || k == KindDst1 || k == KindDst64 || k == KindDst1x64
}

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
var Ops = buildOps(controlOps, moveOps, memoryOps, atomicOps, wideAtomicOps, laneOps, divisionOps, floatOps, convertOps,
	bitOps, packOps, reduceOps, mathOps, subgroupOps, int64Ops, doubleOps)

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
