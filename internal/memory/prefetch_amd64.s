//go:build !purego

#include "textflag.h"

// func prefetch(p unsafe.Pointer, bytes int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ bytes+8(FP), CX
	ADDQ AX, CX
	ANDQ $-64, AX

loop:
	PREFETCHT0 (AX)
	ADDQ       $64, AX
	CMPQ       AX, CX
	JLT        loop
	RET
