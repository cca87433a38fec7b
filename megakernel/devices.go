package megakernel

// MaxDevices bounds the devices that a target may have.
const MaxDevices = 16

// Share is what one device of a target with several of them has done.
type Share struct {
	Phase       Phase  // PhaseLost: the other devices do the rest of its work
	Submitted   uint64 // tasks given to it; of a lost device those that have ended on it
	Done        uint64
	Faulted     uint64
	Activations uint64
}

// Numbering joins the numbers of several devices of one target: its workers, slots and spawned tasks. Worker w of the target
// is of device w mod Devices, whatever number of workers is in force on each; slots follow one another by device.
type Numbering struct {
	Devices int // 1 for a target with one device, whose numbers stay as they are
	Slots   int // of each device
}

// Numbering is that of the target.
func (t *Target) Numbering() Numbering {
	n := Numbering{Devices: max(len(t.Devices), 1)}
	n.Slots = t.Slots / n.Devices
	return n
}

// Several reports whether there is more than one device.
func (n Numbering) Several() bool { return n.Devices > 1 }

// Worker is the target's number of a device's worker.
func (n Numbering) Worker(device, worker int) int { return worker*n.Devices + device }

// OfWorker is the inverse of Worker.
func (n Numbering) OfWorker(number int) (device, worker int) {
	return number % n.Devices, number / n.Devices
}

// Slot is the target's number of a device's slot. NoSlot stays what it is.
func (n Numbering) Slot(device int, slot uint32) uint32 {
	if slot == NoSlot {
		return slot
	}
	return uint32(device*n.Slots) + slot
}

// OfSlot is the inverse of Slot; ok is false for a number that no device has.
func (n Numbering) OfSlot(number uint32) (device int, slot uint32, ok bool) {
	if n.Slots <= 0 || int64(number) >= int64(n.Devices)*int64(n.Slots) {
		return 0, number, false
	}
	return int(number) / n.Slots, number % uint32(n.Slots), true
}

// Task is the target's ID of a task. Published tasks have IDs that no two devices share; each device counts those that it
// spawns from SpawnedIDBase.
func (n Numbering) Task(device int, id uint32) uint32 {
	if id < SpawnedIDBase {
		return id
	}
	return SpawnedIDBase + (id-SpawnedIDBase)*uint32(n.Devices) + uint32(device)
}

// OfTask is the inverse of Task; spawned is false for a published task, whose ID does not tell its device.
func (n Numbering) OfTask(id uint32) (device int, local uint32, spawned bool) {
	if id < SpawnedIDBase {
		return 0, id, false
	}
	id -= SpawnedIDBase
	return int(id % uint32(n.Devices)), SpawnedIDBase + id/uint32(n.Devices), true
}
