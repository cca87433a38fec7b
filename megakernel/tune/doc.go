// Package tune measures which settings make a live target fastest: it searches a list of candidates,
// compares two of them, and stores the shape that it found.
//
// # Stored shapes
//
// What `vyretop tune` finds, `vyretop run` uses. There is one JSON file (schema StoreSchema) for each device and workload in
// StoreDir. A shape is valid for the device that it was found on, with the same driver, and for the same workgroup size:
// another one is another kernel. A file that cannot be read, or is about something else, is ignored.
//
// # What is measured
//
// A window: the target runs with a candidate's settings for a while, and says how much it got done.
// The machine's speed changes while others use it, and so does the work, so no candidate has windows of
// its own time: candidates take turns, in another order each time, and a candidate's rate is the median
// of its windows.
//
// # Search
//
// Successive halving (K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and
// hyperparameter optimization", AISTATS 2016), by quarters: in each round the remaining candidates have
// four times as many windows each as in the round before, and the better quarter remains. A round costs
// about as much as any other, so most of the time goes to candidates that are hard to tell apart. At last
// the best is compared with the default, for as long as all rounds took together, and replaces it if it seems faster
// and is certainly not more than 5 % slower.
//
// # Comparison
//
// Windows of A and B in pairs, A first in one pair and B first in another one. Each pair gives a ratio of
// rates; their middle is the estimate of Hodges and Lehmann, and the interval that of Wilcoxon's signed-rank test.
// They assume that a disturbance makes B's window look faster as often as A's, which the turns see to, and nothing
// else of how the rates are distributed. Where the interval covers 1 there is no difference if it stays within 10 % of 1;
// otherwise the comparison cannot tell. (The sign test assumes less and needs half as many pairs again: that is what the
// rates of single candidates, which have no such symmetry, are given with.)
package tune
