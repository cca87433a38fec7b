//go:build !race

#include "textflag.h"

// func release(p *uint32, v uint32)
//
// The processor makes stores visible in order, except those to memory that is mapped write-combined: for
// these is the fence, which costs nothing elsewhere.
TEXT ·release(SB), NOSPLIT, $0-12
	MOVQ p+0(FP), AX
	MOVL v+8(FP), BX
	SFENCE
	MOVL BX, (AX)
	RET
