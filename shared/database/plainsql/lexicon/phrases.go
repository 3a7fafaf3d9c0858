package lexicon

// Phrases are pairs of words that say what one does; those that stand for none have no role in a statement.
var Phrases = map[[2]string]string{
	{"waiting", "list"}: "waitlist", {"called", "off"}: "cancelled", {"leaving", "out"}: "except", {"leaving", "aside"}: "except",
	{"not", "counting"}: "except",
	{"haven", "'"}:      "not", {"hasn", "'"}: "not", {"hadn", "'"}: "not", // haven't
	{"brought", "back"}: "returned", {"handed", "back"}: "returned", {"given", "back"}: "returned", {"gave", "back"}: "returned",
	{"bringing", "back"}: "returning", {"taken", "out"}: "borrowed", {"late", "fees"}: "fines", {"late", "fee"}: "fine",
	{"longest", "running"}: "longest", {"furthest", "over"}: "most over", {"best", "rated"}: "highest rating", {"top",
		"rated"}: "highest rating",
	{"worst", "rated"}: "lowest rating", {"still", "out"}: "unreturned", {"on", "loan"}: "unreturned", {"noch", "ausgeliehen"}: "unreturned",
	{"came", "back"}: "returned",
	{"come", "back"}: "return", {"turn", "up"}: "attend", {"turned", "up"}: "attended", {"show", "up"}: "attend", {"showed",
		"up"}: "attended",
	{"shown", "up"}: "attended", {"signed", "up"}: "joined", {"delivery", "time"}: "lead time", {"delivery", "times"}: "lead time",
	{"sells", "best"}: "sells most", {"sell", "best"}: "sell most", {"sold", "best"}: "sold most", {"best", "selling"}: "most sold",
	{"best", "paid"}: "earns most", {"highest", "paid"}: "earns most", {"lowest", "paid"}: "earns least", {"worst", "paid"}: "earns least",
	{"best", "customer"}: "biggest customer", {"best", "customers"}: "biggest customers",
	{"best", "client"}: "biggest client", {"best", "clients"}: "biggest clients", {"bester", "kunde"}: "größter kunde",
	{"beste", "kunde"}: "größte kunde", {"besten", "kunden"}: "größten kunden", {"beste", "kundin"}: "größte kundin", {"by", "any"}: "by",
	{"take", "place"}: "happen", {"takes", "place"}: "happen", {"took", "place"}: "happened", {"taking", "place"}: "happen",
	{"took", "part"}: "attended", {"take", "part"}: "attend", {"taken", "part"}: "attended", {"looks", "after"}: "manages",
	{"look", "after"}: "manage", {"in", "charge"}: "manages", {"responsible", "for"}: "manages", {"zuständig", "für"}: "betreut",
	{"from", "before"}: "before", {"from", "after"}: "after", {"pays", "best"}: "pays most", {"pay", "best"}: "pay most",
	{"sign", "up"}: "join", {"signs", "up"}: "joins", {"square", "metres"}: "sqm", {"square", "meters"}: "sqm",
	{"since", "before"}: "before", {"going", "by"}: "", {"judging", "by"}: "", {"measured", "by"}: "",
}
