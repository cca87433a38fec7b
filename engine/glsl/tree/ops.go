package tree

// UnaryOp is an operator of Unary.
type UnaryOp uint8

// The unary operators.
const (
	Neg        UnaryOp = iota // -
	Plus                      // +
	Not                       // !
	Complement                // ~
)

var unaryNames = [...]string{"-", "+", "!", "~"}

// String gives the operator as GLSL writes it.
func (op UnaryOp) String() string { return unaryNames[op] }

// BinaryOp is an operator of Binary and of compound Assign.
type BinaryOp uint8

// The binary operators. OpNone marks a plain assignment.
const (
	OpNone BinaryOp = iota
	Add
	Sub
	Mul
	Div
	Mod
	ShiftLeft
	ShiftRight // arithmetic when the left operand is int
	BitAnd
	BitOr
	BitXor
	Less
	Greater
	LessEqual
	GreaterEqual
	Equal
	NotEqual
	LogicalXor
)

var binaryNames = [...]string{"", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^",
	"<", ">", "<=", ">=", "==", "!=", "^^"}

// String gives the operator as GLSL writes it; OpNone gives "".
func (op BinaryOp) String() string { return binaryNames[op] }

// IsShift reports whether op is << or >>.
func (op BinaryOp) IsShift() bool { return op == ShiftLeft || op == ShiftRight }

// IsBitwise reports whether op is &, | or ^.
func (op BinaryOp) IsBitwise() bool { return op >= BitAnd && op <= BitXor }

// IsRelational reports whether op is < > <= or >=.
func (op BinaryOp) IsRelational() bool { return op >= Less && op <= GreaterEqual }

// IsEquality reports whether op is == or !=.
func (op BinaryOp) IsEquality() bool { return op == Equal || op == NotEqual }

// AtomicOp is the operation of an Atomic.
type AtomicOp uint8

// The atomic operations. Min and Max compare as the target's kind.
const (
	AtomicAdd AtomicOp = iota
	AtomicMin
	AtomicMax
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicExchange
	AtomicCompSwap
)

var atomicNames = [...]string{"Add", "Min", "Max", "And", "Or", "Xor", "Exchange", "CompSwap"}

// String gives the operation as in the built-in's name, e.g. "CompSwap".
func (op AtomicOp) String() string { return atomicNames[op] }
