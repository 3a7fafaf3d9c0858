package dynamorecord

import "time"

// Quick returns options that wait little between tries.
func Quick(o Options) Options {
	o.pause = 5 * time.Millisecond
	return o
}
