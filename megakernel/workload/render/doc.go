// Package render owns the host side of the workload "render": a path tracer whose handler is render.glsl.
//
// # Scene
//
// A scene is a TOML file. Keys that are not listed are errors. A vector is a list of three numbers, a
// color a vector of red, green and blue, linear, 0 and up. All numbers are rounded to 32-bit floats.
//
//	[camera]
//	eye = [0, 1, 5]      # required
//	look = [0, 1, 0]     # a point in the middle of the picture; required
//	up = [0, 1, 0]       # default
//	fov = 40             # height of the picture in degrees, above 0 and below 180, default 40
//
//	[sky]
//	zenith = COLOR      # light from above, default 0.5 0.7 1
//	horizon = COLOR     # light from below; in between it is mixed. Default 1 1 1
//
//	[[material]]
//	name = "red"         # required, unique
//	color = COLOR       # share of the light that it reflects, at most 1 each; default 0 0 0
//	emits = COLOR       # light of its own, default none
//	mirror = true        # reflects as a mirror does; default false: in all directions
//	blur = 0.1           # of a mirror, 0 to 1, default 0
//
//	[[sphere]]
//	center = VECTOR      # required
//	radius = 1           # above 0; required
//	material = "red"     # required
//
//	[[plane]]
//	point = VECTOR       # required
//	normal = VECTOR      # not 0; required
//	material = "red"     # required
//
//	[[mesh]]
//	file = "a.obj"       # beside the scene; required
//	material = "red"     # required
//	scale = 1            # default
//	move = VECTOR        # after scaling, default 0 0 0
//
// Of an OBJ file, "v" and "f" are read, faces of more than three corners as fans of triangles; normals,
// texture coordinates, names, groups, materials and smoothing are skipped, anything else is an error.
//
// # Result
//
// The image buffer has four floats a pixel, row by row from the top: the sums of red, green and blue
// over all samples, and the number of samples. The digest is the SHA-256 of its words, little-endian.
// All arithmetic is that of the kernel language, the samples of a pixel are added up in their order, and
// random numbers depend on seed, pixel and sample: so the digest depends on scene and flags only.
package render
