package lower

import (
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// builtinOps maps built-in functions that are one operation per component. Scalar arguments are
// repeated to the width of the others. The operation is chosen by the kind of the first argument.
var builtinOps = map[tree.BuiltinID]byKind{
	tree.FnRadians: {f: vm.OpRadians}, tree.FnDegrees: {f: vm.OpDegrees},
	tree.FnSin: {f: vm.OpSin}, tree.FnCos: {f: vm.OpCos}, tree.FnTan: {f: vm.OpTan},
	tree.FnAsin: {f: vm.OpAsin}, tree.FnAcos: {f: vm.OpAcos},
	tree.FnSinh: {f: vm.OpSinh}, tree.FnCosh: {f: vm.OpCosh}, tree.FnTanh: {f: vm.OpTanh},
	tree.FnAsinh: {f: vm.OpAsinh}, tree.FnAcosh: {f: vm.OpAcosh}, tree.FnAtanh: {f: vm.OpAtanh},
	tree.FnPow: {f: vm.OpPow}, tree.FnExp: {f: vm.OpExp}, tree.FnLog: {f: vm.OpLog},
	tree.FnExp2: {f: vm.OpExp2}, tree.FnLog2: {f: vm.OpLog2},
	tree.FnSqrt: {f: vm.OpSqrt, d: vm.OpSqrtD}, tree.FnInverseSqrt: {f: vm.OpInverseSqrt, d: vm.OpInverseSqrtD},

	tree.FnAbs:       {f: vm.OpAbsF, i: vm.OpAbsI, d: vm.OpAbsD, l: vm.OpAbsL},
	tree.FnSign:      {f: vm.OpSignF, i: vm.OpSignI, d: vm.OpSignD, l: vm.OpSignL},
	tree.FnFloor:     {f: vm.OpFloorF, d: vm.OpFloorD},
	tree.FnTrunc:     {f: vm.OpTruncF, d: vm.OpTruncD},
	tree.FnRound:     {f: vm.OpRoundF, d: vm.OpRoundD},
	tree.FnRoundEven: {f: vm.OpRoundEvenF, d: vm.OpRoundD},
	tree.FnCeil:      {f: vm.OpCeilF, d: vm.OpCeilD},
	tree.FnFract:     {f: vm.OpFractF, d: vm.OpFractD},
	tree.FnModFloat:  {f: vm.OpModF, d: vm.OpModD},
	tree.FnMin:       {f: vm.OpMinF, i: vm.OpMinI, u: vm.OpMinU, d: vm.OpMinD, l: vm.OpMinL, ul: vm.OpMinUL},
	tree.FnMax:       {f: vm.OpMaxF, i: vm.OpMaxI, u: vm.OpMaxU, d: vm.OpMaxD, l: vm.OpMaxL, ul: vm.OpMaxUL},
	tree.FnStep:      {f: vm.OpStepF, d: vm.OpStepD}, tree.FnSmoothStep: {f: vm.OpSmoothStepF, d: vm.OpSmoothStepD},
	tree.FnIsNaN: {f: vm.OpIsNaN, d: vm.OpIsNaND}, tree.FnIsInf: {f: vm.OpIsInf, d: vm.OpIsInfD},
	tree.FnFma: {f: vm.OpFmaF, d: vm.OpFmaD}, tree.FnLdexp: {f: vm.OpLdexp, d: vm.OpLdexpD},

	tree.FnLessThan:         binaryOps[tree.Less],
	tree.FnLessThanEqual:    binaryOps[tree.LessEqual],
	tree.FnGreaterThan:      binaryOps[tree.Greater],
	tree.FnGreaterThanEqual: binaryOps[tree.GreaterEqual],
	tree.FnEqualVec:         binaryOps[tree.Equal],
	tree.FnNotEqualVec:      binaryOps[tree.NotEqual],

	tree.FnBitfieldExtract: {i: vm.OpExtractI, u: vm.OpExtractU},
	tree.FnBitfieldReverse: words(vm.OpReverse, 0),
	tree.FnBitCount:        words(vm.OpBitCount, 0),
	tree.FnFindLSB:         words(vm.OpFindLSB, 0),
	tree.FnFindMSB:         {i: vm.OpFindMSBI, u: vm.OpFindMSBU},
}

// gatherOps maps built-in functions that are one operation over a whole vector, or make one.
var gatherOps = map[tree.BuiltinID]vm.Op{
	tree.FnPackUnorm2x16: vm.OpPackUnorm2x16, tree.FnPackSnorm2x16: vm.OpPackSnorm2x16,
	tree.FnPackUnorm4x8: vm.OpPackUnorm4x8, tree.FnPackSnorm4x8: vm.OpPackSnorm4x8,
	tree.FnPackHalf2x16:    vm.OpPackHalf2x16,
	tree.FnUnpackUnorm2x16: vm.OpUnpackUnorm2x16, tree.FnUnpackSnorm2x16: vm.OpUnpackSnorm2x16,
	tree.FnUnpackUnorm4x8: vm.OpUnpackUnorm4x8, tree.FnUnpackSnorm4x8: vm.OpUnpackSnorm4x8,
	tree.FnUnpackHalf2x16: vm.OpUnpackHalf2x16,
	tree.FnAny:            vm.OpAny, tree.FnAll: vm.OpAll, tree.FnDot: vm.OpDot,
}

// call is a built-in call whose in arguments have been evaluated.
type call struct {
	*tree.BuiltinCall
	args []int32 // registers of the in and inout arguments; an out argument has none
	outs []place // places of the out arguments, in order
	hint int32
}

// specialBuiltins are those that are neither one operation nor nothing.
var specialBuiltins map[tree.BuiltinID]func(*lowerer, *call) int32

func init() {
	specialBuiltins = map[tree.BuiltinID]func(*lowerer, *call) int32{
		tree.FnAtan:           (*lowerer).atan,
		tree.FnClamp:          (*lowerer).clamp,
		tree.FnMin3:           trinary,
		tree.FnMid3:           trinary,
		tree.FnMax3:           trinary,
		tree.FnMix:            (*lowerer).mix,
		tree.FnModf:           (*lowerer).modf,
		tree.FnFrexp:          (*lowerer).frexp,
		tree.FnLength:         (*lowerer).length,
		tree.FnDistance:       (*lowerer).distance,
		tree.FnNormalize:      (*lowerer).normalize,
		tree.FnFaceForward:    matrixBuiltin,
		tree.FnReflect:        matrixBuiltin,
		tree.FnRefract:        matrixBuiltin,
		tree.FnMatrixCompMult: matrixBuiltin,
		tree.FnOuterProduct:   matrixBuiltin,
		tree.FnTranspose:      matrixBuiltin,
		tree.FnDeterminant:    matrixBuiltin,
		tree.FnInverse:        matrixBuiltin,
		tree.FnCross:          (*lowerer).cross,
		tree.FnNotVec:         (*lowerer).notVector,
		tree.FnUaddCarry:      sumWithCarry(vm.OpAdd, vm.OpCarry),
		tree.FnUsubBorrow:     sumWithCarry(vm.OpSub, vm.OpBorrow),
		tree.FnUmulExtended:   fullProduct(vm.OpMulHighU),
		tree.FnImulExtended:   fullProduct(vm.OpMulHighI),
		tree.FnBitfieldInsert: (*lowerer).bitfieldInsert,
		tree.FnBarrier:        (*lowerer).barrier,
		tree.FnGridBarrier:    (*lowerer).gridBarrier,
		tree.FnPackDouble2x32: firstArgument, tree.FnUnpackDouble2x32: firstArgument,
		tree.FnPackInt2x32: firstArgument, tree.FnUnpackInt2x32: firstArgument,
		tree.FnPackUint2x32: firstArgument, tree.FnUnpackUint2x32: firstArgument,
		tree.FnDoubleBitsToInt64: firstArgument, tree.FnDoubleBitsToUint64: firstArgument,
		tree.FnInt64BitsToDouble: firstArgument, tree.FnUint64BitsToDouble: firstArgument,
		tree.FnFloatBitsToInt: firstArgument, tree.FnFloatBitsToUint: firstArgument,
		tree.FnIntBitsToFloat: firstArgument, tree.FnUintBitsToFloat: firstArgument,
		tree.FnMemoryBarrier: nothing, tree.FnMemoryBarrierBuffer: nothing,
		tree.FnMemoryBarrierShared: nothing, tree.FnGroupMemoryBarrier: nothing,
		tree.FnSubgroupBallot: ballot, tree.FnSubgroupShuffle: shuffle,
		tree.FnSubgroupBarrier: nothing, // lanes run in step
	}
}

func (l *lowerer) builtin(x *tree.BuiltinCall, hint int32) int32 {
	c := &call{BuiltinCall: x, hint: hint}
	l.arguments(c)
	l.at(x.At)
	if special, ok := specialBuiltins[x.Builtin.ID]; ok {
		return special(l, c)
	}
	if op, ok := gatherOps[x.Builtin.ID]; ok {
		return l.gather(op, c)
	}
	ops, ok := builtinOps[x.Builtin.ID]
	if !ok {
		panic("BUG: no operation for built-in " + x.Builtin.Name)
	}
	return l.lanewise(ops.of(c.kind()), c.width(), hint, l.widened(c)...)
}

// arguments evaluates left to right, values and places alike.
func (l *lowerer) arguments(c *call) {
	var ins []tree.Expr
	for _, a := range c.Args {
		if a.Mode == tree.ModeIn {
			ins = append(ins, a.X)
		}
	}
	c.args = l.operands(ins...)
	for _, a := range c.Args {
		if a.Mode != tree.ModeIn {
			c.outs = append(c.outs, l.locate(a.X, true))
		}
	}
}

// kind is the component kind of the first argument.
func (c *call) kind() tree.Kind { return c.Args[0].X.Type().Kind }

// width is that of the widest argument.
func (c *call) width() int {
	w := 1
	for _, a := range c.Args {
		w = max(w, a.X.Type().Width)
	}
	return w
}

// widened repeats scalar arguments where others are vectors.
func (l *lowerer) widened(c *call) []int32 {
	regs := make([]int32, len(c.args))
	for i, reg := range c.args {
		regs[i] = reg
		if c.Args[i].X.Type().Width < c.width() {
			regs[i] = l.widen(reg, c.Args[i].X.Type().Kind, c.width())
		}
	}
	return regs
}

func (l *lowerer) widen(reg int32, k tree.Kind, n int) int32 {
	words := k.Words()
	if l.isConst(reg) {
		return l.constants(slices.Repeat(l.code.Consts[reg-constMark:][:words], n)...)
	}
	if words == 2 {
		return splatted64(l, reg, n)
	}
	return l.splatted(reg, n, vm.None)
}

// gather emits an operation whose N is the number of components of the vector on either side.
func (l *lowerer) gather(op vm.Op, c *call) int32 {
	if c.kind() == tree.KindDouble {
		return registers{l, true}.Dot(value{c.args[0], c.width()}, value{c.args[1], c.width()}).reg
	}
	n := max(c.width(), c.T.Width)
	dst := l.orTemp(c.hint, c.T.Width)
	var b int32
	if len(c.args) > 1 {
		b = c.args[1]
	}
	l.emit(op, n, dst, c.args[0], b, 0)
	return dst
}

func firstArgument(_ *lowerer, c *call) int32 { return c.args[0] }

func nothing(*lowerer, *call) int32 { return vm.None }
