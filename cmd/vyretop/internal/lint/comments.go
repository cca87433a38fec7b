package lint

import (
	"go/ast"
	"go/token"
	"slices"
)

// checkPackageComments finds packages without a package comment, and with more than one.
func checkPackageComments(files []*file) []Finding {
	byDir := map[string][]*file{}
	for _, f := range files {
		if !f.test {
			byDir[f.dir] = append(byDir[f.dir], f)
		}
	}
	var found []Finding
	for _, group := range byDir {
		commented := slices.DeleteFunc(slices.Clone(group), func(f *file) bool { return f.ast.Doc == nil || f.generated })
		switch {
		case len(commented) == 0:
			found = append(found, group[0].report(group[0].ast.Package, "package-comment", "package "+group[0].ast.Name.Name+" has no comment", "say in doc.go what the package owns; for a format, specify it there"))
		case len(commented) > 1:
			found = append(found, commented[1].report(commented[1].ast.Package, "package-comment", "a second package comment; the first is in "+commented[0].path, "keep one, in doc.go"))
		}
	}
	return found
}

// checkNames finds exported names without a comment.
func checkNames(f *file) []Finding {
	if f.test || f.generated {
		return nil
	}
	var found []Finding
	for _, decl := range f.ast.Decls {
		for _, id := range undocumented(decl) {
			found = append(found, f.report(id.Pos(), "comment", "exported "+id.Name+" has no comment", "say what it is: shape, unit, errors, and where it comes from"))
		}
	}
	return found
}

// undocumented lists the exported names that a declaration leaves without a comment.
func undocumented(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT || (d.Doc != nil && d.Tok != token.TYPE) {
			return nil // a comment on the group speaks for its constants or variables
		}
		return undocumentedSpecs(d)
	}
	return nil
}

func undocumentedSpecs(d *ast.GenDecl) []*ast.Ident {
	var out []*ast.Ident
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && s.Doc == nil && s.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
				out = append(out, s.Name)
			}
		case *ast.ValueSpec:
			if s.Doc == nil && s.Comment == nil {
				out = append(out, slices.DeleteFunc(slices.Clone(s.Names), func(id *ast.Ident) bool { return !id.IsExported() })...)
			}
		}
	}
	return out
}

// exportedReceiver reports whether a method belongs to an exported type; functions count too.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return false
		}
	}
}
