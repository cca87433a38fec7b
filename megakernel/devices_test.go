package megakernel

import (
	"testing"

	"pgregory.net/rapid"
)

// TestNumbersOfDevices: the numbers of several devices do not meet, and lead back.
func TestNumbersOfDevices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Numbering{Devices: rapid.IntRange(1, MaxDevices).Draw(t, "devices"), Slots: rapid.IntRange(1, 1<<16).Draw(t, "slots")}
		device := rapid.IntRange(0, n.Devices-1).Draw(t, "device")
		worker := rapid.IntRange(0, MaxWorkers-1).Draw(t, "worker")
		if d, w := n.OfWorker(n.Worker(device, worker)); d != device || w != worker || n.Worker(device, worker) > 0xFFFF {
			t.Errorf("worker %d of device %d is %d, and that is %d of %d", worker, device, n.Worker(device, worker), w, d)
		}
		slot := uint32(rapid.IntRange(0, n.Slots-1).Draw(t, "slot"))
		if d, s, ok := n.OfSlot(n.Slot(device, slot)); !ok || d != device || s != slot {
			t.Errorf("slot %d of device %d is %d, and that is %d of %d", slot, device, n.Slot(device, slot), s, d)
		}
		if n.Slot(device, NoSlot) != NoSlot {
			t.Error("no slot has a number")
		}
		if _, _, ok := n.OfSlot(uint32(n.Devices * n.Slots)); ok {
			t.Error("a slot behind the last one has a device")
		}
		id := SpawnedIDBase + rapid.Uint32Range(0, 1<<26).Draw(t, "id")
		if d, local, spawned := n.OfTask(n.Task(device, id)); !spawned || d != device || local != id {
			t.Errorf("task %d of device %d is %d, and that is %d of %d", id, device, n.Task(device, id), local, d)
		}
		if _, id, spawned := n.OfTask(n.Task(device, 17)); spawned || id != 17 {
			t.Errorf("published task 17 becomes %d", id)
		}
	})
}

// TestOneDeviceKeepsItsNumbers: a target with one device is as it was.
func TestOneDeviceKeepsItsNumbers(t *testing.T) {
	n := (&Target{Slots: 64}).Numbering()
	if n.Several() || n.Worker(0, 5) != 5 || n.Slot(0, 63) != 63 || n.Task(0, SpawnedIDBase+3) != SpawnedIDBase+3 {
		t.Errorf("%+v changes numbers", n)
	}
}
