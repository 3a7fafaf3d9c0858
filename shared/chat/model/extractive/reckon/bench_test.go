package reckon_test

import (
	"testing"

	"lectern/shared/chat/model/extractive/reckon"
	"lectern/shared/database/sqldrivers"
)

func BenchmarkAsk(b *testing.B) {
	open := sqldrivers.Opener(nil, sqldrivers.Options{})
	for name, question := range map[string]string{"count": "How many people work in Leeds?", "none": "What is the notice period of the lease for the landlord?"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := reckon.New(open, nil, nil)(b.Context(), read("", staff), question); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
