//go:build !unix

package cputest

import "time"

func spent() time.Duration { return 0 }
