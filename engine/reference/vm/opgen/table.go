package main

const (
	constToo = true
	plain    = false
)

// ops lists the generated operations.
var ops = []op{
	{"Add", "add", 2, "a + b", constToo},
	{"Sub", "sub", 2, "a - b", constToo},
	{"Mul", "mul", 2, "a * b", constToo},
	{"And", "and", 2, "a & b", constToo},
	{"Or", "or", 2, "a | b", constToo},
	{"Xor", "xor", 2, "a ^ b", constToo},
	{"Shl", "shl", 2, "a << (b & 31)", constToo},
	{"ShrI", "shr.i", 2, "uint32(int32(a) >> (b & 31))", constToo},
	{"ShrU", "shr.u", 2, "a >> (b & 31)", constToo},
	{"Neg", "neg", 1, "-a", plain},
	{"Not", "not", 1, "^a", plain},

	{"Eq", "eq", 2, "truth(a == b)", constToo},
	{"Ne", "ne", 2, "truth(a != b)", constToo},
	{"LtI", "lt.i", 2, "truth(int32(a) < int32(b))", constToo},
	{"LeI", "le.i", 2, "truth(int32(a) <= int32(b))", constToo},
	{"GtI", "gt.i", 2, "truth(int32(a) > int32(b))", constToo},
	{"GeI", "ge.i", 2, "truth(int32(a) >= int32(b))", constToo},
	{"LtU", "lt.u", 2, "truth(a < b)", constToo},
	{"LeU", "le.u", 2, "truth(a <= b)", constToo},
	{"GtU", "gt.u", 2, "truth(a > b)", constToo},
	{"GeU", "ge.u", 2, "truth(a >= b)", constToo},

	{"MinI", "min.i", 2, "uint32(min(int32(a), int32(b)))", plain},
	{"MaxI", "max.i", 2, "uint32(max(int32(a), int32(b)))", plain},
	{"MinU", "min.u", 2, "min(a, b)", plain},
	{"MaxU", "max.u", 2, "max(a, b)", plain},
	{"Select", "select", 3, "choose(a, b, c)", plain},

	{"AddF", "add.f", 2, "bitsOf(float(a) + float(b))", plain},
	{"SubF", "sub.f", 2, "bitsOf(float(a) - float(b))", plain},
	{"MulF", "mul.f", 2, "bitsOf(float(a) * float(b))", plain},
	{"DivF", "div.f", 2, "bitsOf(float(a) / float(b))", plain},
	{"NegF", "neg.f", 1, "bitsOf(-float(a))", plain},
	{"EqF", "eq.f", 2, "truth(float(a) == float(b))", plain},
	{"NeF", "ne.f", 2, "truth(float(a) != float(b))", plain},
	{"LtF", "lt.f", 2, "truth(float(a) < float(b))", plain},
	{"LeF", "le.f", 2, "truth(float(a) <= float(b))", plain},
	{"GtF", "gt.f", 2, "truth(float(a) > float(b))", plain},
	{"GeF", "ge.f", 2, "truth(float(a) >= float(b))", plain},
}
