//go:build cgo && egl

package glapi

import (
	"unsafe"

	"vyretop/gl/internal/glapi/core"
)

// mapFlags keep a buffer mapped for its whole life, coherently (ARB_buffer_storage).
const mapFlags = core.MAP_READ_BIT | core.MAP_WRITE_BIT | core.MAP_PERSISTENT_BIT | core.MAP_COHERENT_BIT

// CreateBuffer makes a buffer object without storage.
func (a *API) CreateBuffer() uint32 {
	var h uint32
	core.CreateBuffers(1, &h)
	a.after("glCreateBuffers")
	return h
}

// MappableStorage gives a buffer immutable storage near the host, of a size in bytes. Without
// GL_CLIENT_STORAGE_BIT a discrete GPU may choose its own memory, which the host reads over the bus
// without a cache.
func (a *API) MappableStorage(h uint32, bytes int) {
	core.NamedBufferStorage(h, bytes, nil, mapFlags|core.CLIENT_STORAGE_BIT)
	a.after("glNamedBufferStorage")
}

// LocalStorage gives a buffer immutable storage that the host cannot map, of a size in bytes.
func (a *API) LocalStorage(h uint32, bytes int) {
	core.NamedBufferStorage(h, bytes, nil, 0)
	a.after("glNamedBufferStorage")
}

// Map maps a whole buffer made by MappableStorage. The words are valid until DeleteBuffer; nil
// means that the driver refused.
func (a *API) Map(h uint32, bytes int) []uint32 {
	p := core.MapNamedBufferRange(h, 0, bytes, mapFlags)
	a.after("glMapNamedBufferRange")
	if p == nil {
		return nil
	}
	return unsafe.Slice((*uint32)(p), bytes/4)
}

// Clear zeroes a buffer on the device.
func (a *API) Clear(h uint32) {
	core.ClearNamedBufferData(h, core.R32UI, core.RED_INTEGER, core.UNSIGNED_INT, nil)
	a.after("glClearNamedBufferData")
}

// Copy copies bytes between two buffers, at offsets in bytes, when the device gets to it.
func (a *API) Copy(from, to uint32, fromOffset, toOffset, bytes int) {
	core.CopyNamedBufferSubData(from, to, fromOffset, toOffset, bytes)
	a.after("glCopyNamedBufferSubData")
}

// DeleteBuffer unmaps and deletes a buffer once the device no longer uses it.
func (a *API) DeleteBuffer(h uint32) {
	core.DeleteBuffers(1, &h)
	a.after("glDeleteBuffers")
}

// BindStorage attaches a whole buffer to a shader storage binding point.
func (a *API) BindStorage(index, h uint32) {
	core.BindBufferBase(core.SHADER_STORAGE_BUFFER, index, h)
	a.after("glBindBufferBase")
}
