// Package recommend says with which shape, workers and lanes, a running target would get more work done: a model
// of the target that is fed with measurements. It is another thing than the launch policy of package
// megakernel/policy, which sizes a launch from the length of a queue alone, as its peer publishes it.
//
// # The model
//
// A worker that is in a slice runs its lanes in steps of the device's vector width. So
//
//	speed(workers, lanes) = atOnce(workers) * perWorker(lanes)
//
// where atOnce grows with the workers up to those that the device runs at the same time, and perWorker with the
// lanes: a vector takes the same time however many of its lanes are filled, and the CPU reference, which has no
// vectors, interprets the lanes that are not filled too. Lanes that have no task get nothing done, so neither counts
// beyond the tasks that are ready or running.
//
// Measurements come before the model: the rate of a shape that has been seen takes the place of its estimate, and
// a shape that vyretop tune has found is taken as it is.
//
// # Answers
//
// The package also answers what `vyretop recommend` asks the launch policy: it makes a launch request from a file, a
// recording or a running target (Question), and writes the recommendation with its reasons, as text and as JSON
// (Document, WhatIf). The names in JSON are those of package policy's types; 64-bit numbers above 2^53 are decimal strings.
package recommend
