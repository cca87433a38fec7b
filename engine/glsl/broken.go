package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// brokenType is the type of what was refused or malformed: it never reaches a finished tree.
var brokenType = &tree.Type{Class: tree.ClassVoid}

// broken is an expression in place of one that was reported.
func broken(pos source.Pos) tree.Expr { return &tree.Const{Node: tree.Node{T: brokenType, At: pos}} }

func isBroken(e tree.Expr) bool { return e.Type() == brokenType }

func anyBroken(list ...tree.Expr) bool {
	for _, e := range list {
		if isBroken(e) {
			return true
		}
	}
	return false
}
