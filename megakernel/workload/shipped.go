package workload

import (
	"embed"
	"io/fs"
)

//go:embed shipped
var embedded embed.FS

// Shipped has the workloads that come with vyretop: one folder each, in the form that a user's own workload has.
var Shipped = folder(embedded, "shipped")

func folder(of fs.FS, name string) fs.FS {
	sub, err := fs.Sub(of, name)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return sub
}
