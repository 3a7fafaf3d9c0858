// Package growth simulates a deployment of many tenants: the domain's own sweep and
// lists over a registry of any size, on stand-ins for DynamoDB, S3 and the index that
// count what AWS charges for and take the time that AWS takes. The clock is a simulated
// one, so that a sweep of many minutes takes what the processor needs for it.
//
// go test ./scripts/growth -v -args -tenants 10000 -entries 1000000
package growth
