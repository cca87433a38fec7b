package tree

// GLSL 4.50 section 8.4.
var packingBuiltins = []builtinRow{
	{FnPackUnorm2x16, exact, sigs("uint packUnorm2x16(vec2 v)")},
	{FnPackSnorm2x16, exact, sigs("uint packSnorm2x16(vec2 v)")},
	{FnPackUnorm4x8, exact, sigs("uint packUnorm4x8(vec4 v)")},
	{FnPackSnorm4x8, exact, sigs("uint packSnorm4x8(vec4 v)")},
	{FnUnpackUnorm2x16, exact, sigs("vec2 unpackUnorm2x16(uint p)")},
	{FnUnpackSnorm2x16, exact, sigs("vec2 unpackSnorm2x16(uint p)")},
	{FnUnpackUnorm4x8, exact, sigs("vec4 unpackUnorm4x8(uint p)")},
	{FnUnpackSnorm4x8, exact, sigs("vec4 unpackSnorm4x8(uint p)")},
	{FnPackHalf2x16, exact, sigs("uint packHalf2x16(vec2 v)")},
	{FnUnpackHalf2x16, exact, sigs("vec2 unpackHalf2x16(uint v)")},
	{FnPackDouble2x32, exact, sigs("double packDouble2x32(uvec2 v)")},
	{FnUnpackDouble2x32, exact, sigs("uvec2 unpackDouble2x32(double v)")},
	{FnPackInt2x32, exact, sigs("int64_t packInt2x32(ivec2 v)")},
	{FnUnpackInt2x32, exact, sigs("ivec2 unpackInt2x32(int64_t v)")},
	{FnPackUint2x32, exact, sigs("uint64_t packUint2x32(uvec2 v)")},
	{FnUnpackUint2x32, exact, sigs("uvec2 unpackUint2x32(uint64_t v)")},
	{FnDoubleBitsToInt64, exact, sigs("genI64Type doubleBitsToInt64(genDType v)")},
	{FnDoubleBitsToUint64, exact, sigs("genU64Type doubleBitsToUint64(genDType v)")},
	{FnInt64BitsToDouble, exact, sigs("genDType int64BitsToDouble(genI64Type v)")},
	{FnUint64BitsToDouble, exact, sigs("genDType uint64BitsToDouble(genU64Type v)")},
}

// GLSL 4.50 section 8.7.
var relationalBuiltins = []builtinRow{
	{FnLessThan, exact, sigs(
		"bvec lessThan(vec x, vec y)",
		"bvec lessThan(ivec x, ivec y)",
		"bvec lessThan(uvec x, uvec y)",
		"bvec lessThan(i64vec x, i64vec y)",
		"bvec lessThan(u64vec x, u64vec y)",
	)},
	{FnLessThanEqual, exact, sigs(
		"bvec lessThanEqual(vec x, vec y)",
		"bvec lessThanEqual(ivec x, ivec y)",
		"bvec lessThanEqual(uvec x, uvec y)",
		"bvec lessThanEqual(i64vec x, i64vec y)",
		"bvec lessThanEqual(u64vec x, u64vec y)",
	)},
	{FnGreaterThan, exact, sigs(
		"bvec greaterThan(vec x, vec y)",
		"bvec greaterThan(ivec x, ivec y)",
		"bvec greaterThan(uvec x, uvec y)",
		"bvec greaterThan(i64vec x, i64vec y)",
		"bvec greaterThan(u64vec x, u64vec y)",
	)},
	{FnGreaterThanEqual, exact, sigs(
		"bvec greaterThanEqual(vec x, vec y)",
		"bvec greaterThanEqual(ivec x, ivec y)",
		"bvec greaterThanEqual(uvec x, uvec y)",
		"bvec greaterThanEqual(i64vec x, i64vec y)",
		"bvec greaterThanEqual(u64vec x, u64vec y)",
	)},
	{FnEqualVec, exact, sigs(
		"bvec equal(vec x, vec y)",
		"bvec equal(ivec x, ivec y)",
		"bvec equal(uvec x, uvec y)",
		"bvec equal(i64vec x, i64vec y)",
		"bvec equal(u64vec x, u64vec y)",
		"bvec equal(bvec x, bvec y)",
	)},
	{FnNotEqualVec, exact, sigs(
		"bvec notEqual(vec x, vec y)",
		"bvec notEqual(ivec x, ivec y)",
		"bvec notEqual(uvec x, uvec y)",
		"bvec notEqual(i64vec x, i64vec y)",
		"bvec notEqual(u64vec x, u64vec y)",
		"bvec notEqual(bvec x, bvec y)",
	)},
	{FnAny, exact, sigs("bool any(bvec x)")},
	{FnAll, exact, sigs("bool all(bvec x)")},
	{FnNotVec, exact, sigs("bvec not(bvec x)")},
}

// GLSL 4.50 section 8.8.
var integerBuiltins = []builtinRow{
	{FnUaddCarry, exact, sigs("genUType uaddCarry(genUType x, genUType y, out genUType carry)")},
	{FnUsubBorrow, exact, sigs("genUType usubBorrow(genUType x, genUType y, out genUType borrow)")},
	{FnUmulExtended, exact, sigs("void umulExtended(genUType x, genUType y, out genUType msb, out genUType lsb)")},
	{FnImulExtended, exact, sigs("void imulExtended(genIType x, genIType y, out genIType msb, out genIType lsb)")},
	{FnBitfieldExtract, exact, sigs(
		"genIType bitfieldExtract(genIType value, int offset, int bits)",
		"genUType bitfieldExtract(genUType value, int offset, int bits)",
	)},
	{FnBitfieldInsert, exact, sigs(
		"genIType bitfieldInsert(genIType base, genIType insert, int offset, int bits)",
		"genUType bitfieldInsert(genUType base, genUType insert, int offset, int bits)",
	)},
	{FnBitfieldReverse, exact, sigs(
		"genIType bitfieldReverse(genIType value)",
		"genUType bitfieldReverse(genUType value)",
	)},
	{FnBitCount, exact, sigs(
		"genIType bitCount(genIType value)",
		"genIType bitCount(genUType value)",
	)},
	{FnFindLSB, exact, sigs(
		"genIType findLSB(genIType value)",
		"genIType findLSB(genUType value)",
	)},
	{FnFindMSB, exact, sigs(
		"genIType findMSB(genIType value)",
		"genIType findMSB(genUType value)",
	)},
}

// GLSL 4.50 section 8.11, GL_EXT_shader_atomic_float and float2, and GL_EXT_shader_atomic_int64.
var atomicsBuiltins = []builtinRow{
	{FnAtomicAdd, exact, sigs(
		"uint atomicAdd(inout uint mem, uint data)",
		"int atomicAdd(inout int mem, int data)",
		"float atomicAdd(inout float mem, float data)",
		"double atomicAdd(inout double mem, double data)",
		"uint64_t atomicAdd(inout uint64_t mem, uint64_t data)",
		"int64_t atomicAdd(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicMin, exact, sigs(
		"uint atomicMin(inout uint mem, uint data)",
		"int atomicMin(inout int mem, int data)",
		"float atomicMin(inout float mem, float data)",
		"uint64_t atomicMin(inout uint64_t mem, uint64_t data)",
		"int64_t atomicMin(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicMax, exact, sigs(
		"uint atomicMax(inout uint mem, uint data)",
		"int atomicMax(inout int mem, int data)",
		"float atomicMax(inout float mem, float data)",
		"uint64_t atomicMax(inout uint64_t mem, uint64_t data)",
		"int64_t atomicMax(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicAnd, exact, sigs(
		"uint atomicAnd(inout uint mem, uint data)",
		"int atomicAnd(inout int mem, int data)",
		"uint64_t atomicAnd(inout uint64_t mem, uint64_t data)",
		"int64_t atomicAnd(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicOr, exact, sigs(
		"uint atomicOr(inout uint mem, uint data)",
		"int atomicOr(inout int mem, int data)",
		"uint64_t atomicOr(inout uint64_t mem, uint64_t data)",
		"int64_t atomicOr(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicXor, exact, sigs(
		"uint atomicXor(inout uint mem, uint data)",
		"int atomicXor(inout int mem, int data)",
		"uint64_t atomicXor(inout uint64_t mem, uint64_t data)",
		"int64_t atomicXor(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicExchange, exact, sigs(
		"uint atomicExchange(inout uint mem, uint data)",
		"int atomicExchange(inout int mem, int data)",
		"float atomicExchange(inout float mem, float data)",
		"double atomicExchange(inout double mem, double data)",
		"uint64_t atomicExchange(inout uint64_t mem, uint64_t data)",
		"int64_t atomicExchange(inout int64_t mem, int64_t data)",
	)},
	{FnAtomicCompSwap, exact, sigs(
		"uint atomicCompSwap(inout uint mem, uint compare, uint data)",
		"int atomicCompSwap(inout int mem, int compare, int data)",
		"uint64_t atomicCompSwap(inout uint64_t mem, uint64_t compare, uint64_t data)",
		"int64_t atomicCompSwap(inout int64_t mem, int64_t compare, int64_t data)",
	)},
}

// GLSL 4.50 section 8.16 and 8.17, and one function of our own: gridBarrier() is barrier() for all
// workgroups of the dispatch, with everything that was stored before it visible after it. It stands at
// the top level of main only.
var barriersBuiltins = []builtinRow{
	{FnBarrier, exact, sigs("void barrier()")},
	{FnMemoryBarrier, exact, sigs("void memoryBarrier()")},
	{FnMemoryBarrierBuffer, exact, sigs("void memoryBarrierBuffer()")},
	{FnMemoryBarrierShared, exact, sigs("void memoryBarrierShared()")},
	{FnGroupMemoryBarrier, exact, sigs("void groupMemoryBarrier()")},
	{FnGridBarrier, exact, sigs("void gridBarrier()")},
}

// GL_KHR_shader_subgroup. The other functions are written with these in engine/glsl/subgroup.glsl.
var subgroupBuiltins = []builtinRow{
	{FnSubgroupBallot, exact, sigs("uvec4 subgroupBallot(bool value)")},
	{FnSubgroupShuffle, exact, sigs(
		"genFType subgroupShuffle(genFType value, uint id)",
		"genIType subgroupShuffle(genIType value, uint id)",
		"genUType subgroupShuffle(genUType value, uint id)",
		"genBType subgroupShuffle(genBType value, uint id)",
	)},
	{FnSubgroupBarrier, exact, sigs("void subgroupBarrier()")},
}
