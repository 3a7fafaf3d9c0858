// Package simulation runs whole deployments, API and workers, over the real
// domain code and the embedded drivers in one process, and breaks them by seed:
// every call of a port may fail before its effect or after it, come late or
// twice; queues repeat and reorder; processes die at any call. Time is a
// synctest bubble's. A model of what callers were promised audits the whole run.
//
// One goroutine at a time goes on from a port call, chosen by the seed, so a
// seed gives nearly the same run again; only jitter that the domain code takes
// from the global source differs.
//
//	go test ./scripts/simulation -seeds 10000
//	go test ./scripts/simulation -seed 42 -v
package simulation
