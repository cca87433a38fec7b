//go:build cgo && egl

package glapi

/*
typedef void (*vt_bytes)(unsigned int name, unsigned int index, unsigned char *out);
static void vt_call_bytes(void *f, unsigned int name, unsigned char *out) { ((vt_bytes)f)(name, 0, out); }
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// deviceUUID is GL_DEVICE_UUID_EXT of GL_EXT_memory_object; GL_UUID_SIZE_EXT bytes.
const (
	deviceUUID = 0x9597
	uuidBytes  = 16
)

// DeviceUUID is the UUID of the first device of the context, in the usual groups of hexadecimal digits, or "". Ask
// only where GL_EXT_memory_object has been seen.
func (a *API) DeviceUUID(lookup func(name string) unsafe.Pointer) string {
	f := lookup("glGetUnsignedBytei_vEXT")
	if f == nil {
		return ""
	}
	var b [uuidBytes]byte
	C.vt_call_bytes(f, deviceUUID, (*C.uchar)(&b[0]))
	a.after("glGetUnsignedBytei_vEXT")
	if b == [uuidBytes]byte{} {
		return ""
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
