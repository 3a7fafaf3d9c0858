// Package simulation runs whole deployments, API and workers, with the real
// domain code and embedded drivers in one process, and injects faults by seed:
// any call of a port may fail before or after its effect, be delayed or
// repeated; queues repeat and reorder; processes die at any call. Time is that
// of a synctest bubble. A model of what callers were promised audits the whole
// run.
//
// Only one goroutine at a time continues from a port call, chosen by the seed,
// so that a seed is almost reproducible; only jitter that the domain code takes
// from the global source differs.
//
// Beside the seeds there is a sweep: in each of a list of short stories every port
// call in turn fails, fails after its effect, or is the last of its process.
//
//	go test ./scripts/simulation -seeds 10000
//	go test ./scripts/simulation -seed 42 -v
package simulation
