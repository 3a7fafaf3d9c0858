package opensearchindex

import "time"

// Quick returns options that wait little between tries and looks.
func Quick(o Options) Options {
	o.backoff, o.poll = time.Millisecond, 20*time.Millisecond
	return o
}

// Patient returns options that wait a little longer between tries.
func Patient(o Options) Options {
	o = Quick(o)
	o.backoff = 20 * time.Millisecond
	return o
}
