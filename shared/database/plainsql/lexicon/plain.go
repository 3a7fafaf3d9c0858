package lexicon

import (
	"regexp"
	"strings"
)

// What has more or less of something, and the words for that.
const (
	has = `(has|have|had|is|are|was|were|did|costs?|got|uses?|used|earns?|earned|sold|sells?|scored|won|lost|takes?|took|makes?|made|gets?|` +
		`weighs?|pays?|paid|runs?|ran)`
	comparative = `(?:more|less|fewer|better|worse|mehr|weniger|\w{3,}er)\b`
)

// wordings are ways to say something, each with one that rules read. They come in order, each reads what those before left.
var wordings = compiled([][2]string{
	{`’`, `'`},
	{`\b(\w+s) (?:that |which )?(?:nobody|no one) has (?:yet |ever )?(paid|\w+ed)\b`, `$1 that are not $2`},
	{`^((?:what|wie viel) (?:percent(?:age)?|prozent) .+? (?:have|haben)) (not |nicht |noch nicht )?(?:paid )?(?:ihren?|ihr|their|the) (?:\w*beitrag|\w*beiträge|miete|fees?|dues|subscriptions?|rent) ?(nicht |noch nicht )?(?:be|ge)?(?:paid|zahlt)?`,
		`$1 $2${3}paid`},
	{`\b(is|are|was|were|sind|ist) (?:from|von|aus) ((?:19|20)\d\d)(\s*\?*)$`, `$1 in $2$3`},
	{`^which of (?:us|them|you)\b`, `who`},
	{`\bon (?:the|our) (?:payroll|books|roster|register)\b`, ``},
	{`^how much (?:money|cash|capital) (?:is|do we have|have we got) tied up in (?:the |our )?(?:stuff|things|items|stock|goods|products)\b`,
		`what is the total stock value`},
	{`^(who .*\b(?:longest|shortest|highest|lowest|biggest|largest|cheapest|dearest)\b.*) (?:in|at|on|for) an? \w+(\s*\?*)$`, `$1$2`},
	{`\b(what|who|where|when|how|that|there|here|it)'s\b`, `$1 is`},
	{`\b(i|we|you|they)'(?:ve|re|ll|d|m)\b`, `$1`},
	{`\bcan(?:'t|not)\b`, `can not`},
	{`\b(is|are|was|were|aged?) (\d{1,3}) (?:years )?(?:or|and) older\b|\b(aged) (\d{1,3}) (?:or|and) over\b`, `$1$3 at least $2$4 years old`},
	{`\b(is|are|was|were|aged?) (\d{1,3}) (?:years )?(?:or|and) younger\b`, `$1 at most $2 years old`},
	{`\bbest (yield|return|margin|score|average|rating|growth|goal difference)\b`, `highest $1`},
	{`\bworst (yield|return|margin|score|average|rating|growth|goal difference)\b`, `lowest $1`},
	{`\?\s*(?:please )?(?:just |only )?(?:give|name|state|tell|say|write)(?: me| us)? (?:its|the|their)(?: full)? \w+(?: of the \w+)?[.!]?$`, `?`},
	{`\?\s*(?:just|only) the (?:names?|numbers?|totals?|figures?|dates?)(?:,? please)?[.!]?$`, `?`},
	{`\bcar (makers?|manufacturers?)\b`, `$1`},
	{`\bwon't\b`, `will not`},
	{`\b(\w+)n't\b`, `$1 not`},
	{`\b(have|has|had|with|are|is|were|was|do|does|did) both\b`, `$1`},
	{`\b(was|were|is|are|got|been) (shown|screened|played|performed|sung|chosen|visited|treated) (?:the )?most(\s*\?*$)`,
		`$1 $2 most often$3`},
	{`\brunning times?\b|\bruntimes?\b`, `length`},
	{`\btwo and a half hours\b`, `150 minutes`},
	{`\b(?:one|an hour) and a half(?: hours)?\b`, `90 minutes`},
	{`\b(?:from|in|of|during) the (?:1920s|(?:nineteen[ -]?)?twenties)\b`, `between 1920 and 1929`},
	{`\b(?:from|in|of|during) the (?:1930s|(?:nineteen[ -]?)?thirties)\b`, `between 1930 and 1939`},
	{`\b(?:from|in|of|during) the (?:1940s|(?:nineteen[ -]?)?forties)\b`, `between 1940 and 1949`},
	{`\b(?:from|in|of|during) the (?:1950s|(?:nineteen[ -]?)?fifties)\b`, `between 1950 and 1959`},
	{`\b(?:from|in|of|during) the (?:1960s|(?:nineteen[ -]?)?sixties)\b`, `between 1960 and 1969`},
	{`\b(?:from|in|of|during) the (?:1970s|(?:nineteen[ -]?)?seventies)\b`, `between 1970 and 1979`},
	{`\b(?:from|in|of|during) the (?:1980s|(?:nineteen[ -]?)?eighties)\b`, `between 1980 and 1989`},
	{`\b(?:from|in|of|during) the (?:1990s|(?:nineteen[ -]?)?nineties)\b`, `between 1990 and 1999`},
	{`\bpriciest\b`, `most expensive`},
	{`\bmore (?:expensive|costly|pricey)\b`, `dearer`},
	{`\bless (?:expensive|costly|pricey)\b`, `cheaper`},
	{`^(who|which \w+) (?:is|are|was|came|finished|ended up) (?:currently )?(?:at |in )?(?:the )?bottom(?: of the (?:league|table|group|rankings?|standings?))?(\s*\?*)$`,
		`$1 came last$2`},
	{`^(who|which \w+) (?:is|are|was|came|finished|ended up) (?:currently )?(?:at |in )?(?:the )?(first|second|third|last|fourth|fifth|sixth)(?: place| position)?(?: in the (?:league|table|group|rankings?|standings?))?(\s*\?*)$`,
		`$1 came $2$3`},
	{`^(who|which \w+) (?:is|are|was) (?:currently )?(?:at |on )?(?:the )?top(?: of the (?:league|table|group|rankings?|standings?))?(\s*\?*)$`,
		`$1 came first$2`},
	{`\blets? in\b`, `conceded`},
	{`\b(how many|which|what|any|all) of (?:these|those) `, `$1 `},
	{`^who (?:has|have) (?:worked|been|served|lived)(?: here| with us)?(?: ((?:in|at|for) .+?))?(?: for)? (?:the )?longest(\s*\?*)$`, `who $1 started earliest$2`},
	{`^how far (?:ahead of|clear of|in front of|behind) (.+?) (?:is|are|was|were) (.+?) (?:on|in) (\w+)\s*\?*$`, `what is the difference in $3 between $2 and $1?`},
	{`^how far (?:is|are|was|were) (.+?) (?:ahead of|clear of|in front of|behind) (.+?) (?:on|in) (\w+)\s*\?*$`, `what is the difference in $3 between $1 and $2?`},
	{`\b(\d+|once|twice) (?:times )?or more(?: times)?\b`, `at least $1 times`},
	{`\b(?:dropped|drop|fallen|fell|gone|went|go|slipped) (below|under) (?:their|its|the|our)\b`, `are $1 the`},
	{`^(which|what) (?:things|stuff)\b`, `$1 items`},
	{`^how (?:is|are|was|were) (.+?)(?:'s? (?:season|year|term|work))? (?:getting on|getting along|going|doing|performing|coming along)\s*\?*$`, `show $1`},
	{`\bal+to?gether\b`, `in total`},
	{`\bschool days?\b`, `days`},
	{`,?\s*\bso far(\s*\?*)$`, `$1`},
	{`^(?:what|was) (?:costs?|kostet) (?:the |am )?(?:most|meisten)\b`, `what is the most expensive`},
	{`^(?:what|was) (?:costs?|kostet) (?:the |am )?(?:least|wenigsten)\b`, `what is the cheapest`},
	{`^(is|are|was|were) there (?:anything|something) `, `$1 there any items `},
	{`\b(?:am liebsten)\b`, `am häufigsten`},
	{`\bfavou?rite\b`, `most common`},
	{`\bwieviel(e[nrm]?)?\b`, `wie viel$1`},
	{`\b(?:i\.\s?e\.|that is to say|in other words|d\.\s?h\.|das heißt|sprich),?`, `, that is,`},
	{`\b(\w+ed) (?:the )?longest ago\b`, `$1 least recently`},
	{`\bleast recently (\w+ed)\b`, `$1 least recently`},
	{`\bcubic met(?:re|er)s?\b|\bkubikmetern?\b`, `m3`},
	{`\bhow many times\b`, `how often`},
	{`\bwie viele? male?\b`, `wie oft`},
	{`^which (?:kid|child|person)\b`, `who`},
	{`^any(?:one|body)(?: who(?: is| has)?)? `, `who `},
	{`^any (\w+s) (not|still|with|without|from) `, `which $1 are $2 `},
	{`\bnot (?:yet )?back\b`, `not returned`},
	{`\b(?:square|sq\.?) ?m(?:et(?:re|er)s?)?\b|m²|\bsqm\b|\bqm\b|\bquadratmetern?\b`, `m2`},
	{`\b(?:square|sq\.?) ?(?:feet|foot|ft)\b|\bsqft\b`, `ft2`},
	{`\bkilowatt[- ]?hours?\b|\bkilowattstunden?\b`, `kwh`},

	{`\b(?:turn|turns|turned) (?:me |us |them |him |her |it )?down\b`, `rejected`},
	{`\bvery (first|last|best|worst|cheapest|latest|earliest|oldest|newest)\b`, `$1`},
	{`\b(does|do|did) ([^?]{3,60}) last( on average| usually| typically| in total|\s*\?*$)`, `$1 $2 take$3`},
	{`\b(each|every) (?:type|kind|sort) of (\w+)`, `$1 $2`},
	{`\bzurückgebracht(?: worden)?\b`, `zurückgegeben`},
	{`\b(?:fängt|fangen)\b(.*?)\ban(\s*\?*)$`, `beginnt$1$2`},
	{`\b(?:fing|fingen)\b(.*?)\ban(\s*\?*)$`, `begann$1$2`},
	{`\b(?:hört|hören|hörte|hörten)\b(.*?)\bauf(\s*\?*)$`, `endet$1$2`},
	{`\b(?:nehmen|nimmt|nahmen|nahm)\b(.*?)\bein(\s*\?*)$`, `haben${1}eingenommen$2`},
	{`\b(?:geben|gibt|gaben|gab)\b(.*?)\baus(\s*\?*)$`, `haben${1}ausgegeben$2`},
	{`\b(?:leiht|leihen|lieh|liehen)\b(.*?)\baus(\s*\?*)$`, `hat${1}ausgeliehen$2`},
	{`\b(?:läuft|laufen|lief|liefen)\b(.*?)\b(?:ab|aus)(\s*\?*)$`, `endet$1$2`},
	{`\b(?:kommt|kommen|kam|kamen)\b(.*?)\ban(\s*\?*)$`, `ist${1}angekommen$2`},
	{`\b(?:reist|reisen|reiste|reisten)\b(.*?)\ban(\s*\?*)$`, `anreise$1$2`},
	{`\b(?:reist|reisen|reiste|reisten)\b(.*?)\bab(\s*\?*)$`, `abreise$1$2`},
	{`\b(?:zieht|ziehen|zog|zogen)\b(.*?)\b(ein|aus)(\s*\?*)$`, `ist$1${2}gezogen$3`},
	{`\bbrought in again\b`, `returned`},
	{`\ba kick[- ]?off\b`, `a start`},
	{`\bkicks? off\b`, `start`},
	{`\bkicked off\b`, `started`},
	{`\b(?:fell|fall|falls) on (a |an )?((?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b`, `were on $1$2`},
	{`\b(?:fielen|fällt|fallen|fiel) auf (einen |eine )?(\S+(?:tag|woch)e?)\b`, `waren an einem $2`},
	{`\b(?:came|come|comes) in for (an? )`, `had $1`},
	{`\b(?:ended|end|ends|wound|winds?) up with\b`, `had`},
	{`\bzero\b`, `0`},
	{`\b(zweit|dritt)((?:größt|höchst|längst|kleinst|niedrigst|billigst|teuerst|günstigst|ältest|jüngst|kürzest|schwerst|leichtest|best|meist)e[nrms]?)\b`,
		`${1}e $2`},
	{`\bzusammen(?:gerechnet|gezählt|genommen)\b`, `insgesamt`},
	{`\bals (?:letzte[rs]?|jüngste[rs]?) ((?:in|bei|zu) .{2,30} )?(\S+)\s*\?*$`, `zuletzt $2`},
	{`\bals erste[rs]? ((?:in|bei|zu) .{2,30} )?(\S+)\s*\?*$`, `zuerst $2`},
	{`\b(have|has|with) (?:nobody|no one|no-one|noone) (?:down |listed |set |entered |assigned )?as (?:an? |the |its |their )?(\w+)`, `$1 no $2`},
	{`\b(?:have|has|with) (?:nobody|no one|no-one|noone) (\w+ed)(?: to (?:it|them))?\b`, `are not $1`},
	{`\bun(assigned|allocated|answered|resolved)\b`, `not $1`},
	{`\b(e-?mail)s? address(?:es)?\b`, `$1`},
	{`\bon (?:file|record)\b`, ``},
	{`\bright now\b`, ``},
	{`\bals (\S+) (?:markiert|gekennzeichnet|eingestuft|vermerkt)\b`, `$1`},
	{`\bsince the (?:beginning|start) of (\d{4})\b`, `since $1`},
	{`\b(?:over|across|in|for) (?:the|all) (?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:months|weeks|years|days)\b`, `in total`},
	{`\bin (?:the|our|der|unserer) (?:collection|sammlung)\b`, ``},
	{`\b(the |our )?single (most|least|largest|biggest|highest|lowest|smallest|longest|shortest|best|worst|oldest|newest|cheapest)\b`, `$1$2`},
	{`^for how many (\w+) is there no (\w+)(?: entered| recorded| noted| given| stated| listed)?\b`, `how many $1 have no $2`},
	{`\bstay(?:s|ed)? (?:free|empty)\b`, `are left`},
	{`\bim (?:sortiment|angebot|katalog|programm)\b`, ``},
	{`^bei wie vielen (\S+) (?:ist|steht|fehlt|war) (keine?[nmrs]?) (\S+?)(?: (?:eingetragen|hinterlegt|vermerkt|angegeben|erfasst|notiert))?(\s*\?*)$`, `wie viele $1 haben $2 $3$4`},
	{`\bin (?:l/100 ?km|kwh/100 ?km|km/h|mph|l/km)\b`, ``},
	{`^((?:in |on |during )?(?:which|what) (?:month|year|quarter|week|day)\b.*?) (?:of|from|for|across|over) all (?:of )?(?:the |our )?\w+`, `$1`},
	{`^((?:in |an )?welche[mnrs]? (?:monat|jahr|quartal|woche|tag)\b.*?) (?:aller|von allen|über alle) \S+`, `$1`},
	{`\b(have|has) no (\w+) (?:assigned|listed|set|entered|recorded|attached|down)\b`, `$1 no $2`},
	{`\b(?:appear|appears|occur|occurs|show up|turn up|crop up|are listed|come up) (in|on) `, `are $1 `},
	{`\bamong (?:all )?(?:the|our|these|those) `, `of the `},
	{`\b(?:over|across|in|for) all (?:the|these|those) (year|month|week|quarter|season)s\b`, `in total`},

	// Of which rows nothing is left out.
	{`,?\s*(?:\bno matter|\bwhatever|\bregardless of|\birrespective of)(?: (?:what|which))? (?:their|its|the|his|her) \w+(?: is| was| are)?\b`, ``},
	{`,?\s*\b(?:counting|including|taking|considering|covering) (?:all|every) (?:of )?(?:the )?(?:orders|rows|entries|bookings|of them|invoices|records|items)\b`, ``},
	{`^(?:counting|including) (?:the )?\w+ (?:ones|orders|bookings|rows|items) (?:too|as well|also),? `, ``},
	{`,\s*(?:the )?(?:cancel\w+|delet\w+|refund\w+|return\w+|void\w*|reject\w+|inactive|closed|drafts?|unpaid|pending)(?: ones)? (?:included|too|as well)(\s*[?.!]*)$`,
		`$1`},
	{`,?\s*(?:auch |inklusive |einschließlich )(?:der |die )?(?:stornierte[nr]?|abgesagte[nr]?|gelöschte[nr]?)\b(?: mitgezählt| mitgerechnet)?`, ``},
	{`\bby (?:total |the )?(?:order |sales |stock |invoice )?(?:value|amount|worth) \(([^()]*(?: times | \* | × |multiplied| plus | minus )[^()]*)\)`, `by $1`},
	{`\b(total|overall|whole) value of (all |the )*(\w+), ([^,?]*(?: times | \* | × )[^,?]*)`, `total of $4`},

	// How many of each.
	{`\bhow many (\w+) (?:does|do|did|has|have) (?:each|every) (\w+)(?: currently| now)? ` +
		`(?:look after|looked after|take care of|care for|have|own|owned|teach|taught|handle|handled|manage|managed|treat|treated|drive|driven|lead|led|run|see|seen|` +
		`work on|worked on|process|processed|complete|completed|supervise|supervised)\b`, `how many $1 per $2`},
	{`\bhow many (people|persons|employees|staff|colleagues|members) (?:work|works|are working|worked|are employed|sit) (?:in|at|for) (each|every) `, `how many people are in $2 `},
	{`\bwie viele (\S+) (?:hat|haben|betreut|bearbeitet|führt|leitet|unterrichtet|besitzt) (?:jede[rs]?|die einzelnen) ([^\s?]+)(?: \S+t)?(\s*\?*)$`, `wie viele $1 pro $2$3`},
	{`^which (\w+) (?:was|is|were) (?:in charge of|responsible for) the most (\w+)`, `which $1 has the most $2`},
	{`^welche[rs]? (\S+) (?:war|ist) für die meisten (\S+) (?:zuständig|verantwortlich)`, `welcher $1 hat die meisten $2`},
	{`\bdrew the (biggest|largest|highest|smallest|lowest) crowd\b`, `had the $1 attendance`},
	{`\bgo(?:es)? on for (?:the )?longest\b`, `takes the longest`},
	{`\b(over|under)shot (?:its|their|the) budget by (?:the )?(?:largest|biggest|greatest|highest|most)(?: amount)?(?: of money)?\b`, `was the most $1 budget`},
	{`\bby the (?:largest|biggest|greatest|highest) (?:amount|margin|sum)(?: of money)?\b`, `the most`},
	{`^wer hat mehr (\S+?),? (\S+(?: \S+)?) oder (\S+(?: \S+)?),? und um wie ?viel\b`, `wie viel hat $2 mehr $1 als $3`},
	{`^who (?:has )?(\w+) more,? (\w+(?: \w+)?) or (\w+(?: \w+)?),? and by how much\b`, `how much more did $2 $1 than $3`},

	// What only asks.
	{`^\s*(?:hi|hey|hello|hallo|moin|ok|okay|well|so|say|right|sag mal|quick question|kurze frage)\b[ ,!.:–-]*(?:there\b|` +
		`zusammen\b)?[ ,!.:–-]*`, ``},
	{`^\s*(?:and|und|but|aber)\s+`, ``},
	{`^(?:please )?(?:can|could|would|will) (?:you|someone|anyone)(?: please| just| quickly| maybe| kindly)* (?:tell|remind|say|` +
		`check|work out|calculate|figure out|let) ` +
		`(?:me|us)?(?: know)?[ ,:]*`, ``},
	{`^(?:please )?(?:can|could|would|will) (?:you|someone|anyone)(?: please| just| quickly| maybe| kindly)* (?:show|list|name|` +
		`give|find|get|pull up)(?: me| us)? `, `list `},
	{`^(?:do|does) (?:you|anyone|anybody)(?: happen to)? know[ ,:]*`, ``},
	{`^(?:any idea|no idea|remind me|tell me|let me know|i wonder|i am wondering|i was wondering|(?:i|we)(?: would)? (?:need|want|` +
		`like) to (?:know|see|find out|check))[ ,:]*`, ``},
	{`^(?:kannst|könntest|können|könnten) (?:du|sie|ihr) (?:mir|uns)(?: bitte| mal| kurz| schnell)* sagen[ ,:]*`, ``},
	{`^(?:weißt|wisst|wissen) (?:du|ihr|sie)(?: zufällig| vielleicht)?[ ,:]*`, ``},
	{`^(?:ich|wir) (?:möchten?|will|wollen|würden?|wüssten?) (?:gerne? )?(?:mal )?(?:wissen)?[ ,:]*`, ``},
	{`^(?:mich|uns) (?:würde )?interessier(?:t|en)[ ,:]*`, ``},
	{`^(?:sagt?|sagen sie) (?:mir|uns)(?: bitte| mal)*[ ,:]*`, ``},
	{`^(?:please )?name(?: me)? (the|all|every|our|me)\b`, `list $1`},
	{`^(?:bitte )?(?:nenne?|nennt|gib|gebt|zeige?|such|suche|suchen sie|nennen sie|geben sie|zeigen sie)(?: bitte)? (?:mir|` +
		`uns)(?: bitte| mal| doch)*\b`, `liste`},
	{`^(?:bitte )?(?:nenne?|nennt)\b`, `liste`},
	{`\b(?:please|kindly|by any chance|roughly|approximately|just|ungefähr|eigentlich|zufällig|nochmal)\b`, ``},
	{`\bso (eine?[rnms]?)\b`, `$1`},
	{`\bgerade\b`, `derzeit`},

	// Sums.
	{`^(what|how much) (?:do|does|did|would) (.+?) (?:add up|come|amount|work out|tot up|run)(?: up)? (?:to|at)\b(?: in total|` +
		` altogether| all together)?`, `what is the total of $2`},
	{`^what (?:do|does|did) (.+?\w*[^n\W]) total\b`, `what is the total of $1`},
	{`^(?:if|when) (?:i|we|you) (?:add|added|sum|total|tot)(?: up)? (.+?), (?:how many \S+|how much|what) (?:is|are|would|does|do)\b.*$`,
		`how much is $1?`},
	{`,?\s*(?:if|when) (?:i|we|you) (?:add|sum|count|total|tot|put)[^,?]*?(?: up| together)\b`, ` in total `},
	{`^(?:wenn) (?:man|ich|wir|du) (.{3,60}?) (?:zusammenzählt|zusammenzähle|zusammenzählen|zusammenrechne[tn]?|addiert?|` +
		`aufaddiert?|summiert?|aufsummiert?), (?:wie viele? \S+|was) ` +
		`(?:ist|sind|macht|ergibt|kommt|kommen)\b.*$`, `was ist die summe von $1?`},
	{`,?\s*wenn (?:man|ich|wir|du) [^,?]{0,40}(?:zusammenzählt|zusammenzähle|zusammenzählen|zusammenrechne[tn]?|addiert|addiere|` +
		`addieren|aufaddiert|summiert|aufsummiert)\b`, ` insgesamt`},
	{`\b(?:altogether|all in all|all told|all up|in all|unterm strich|alles in allem|in summe|alles zusammen)\b`, `in total`},
	{`\bwas (?:ging|geht|gingen|ist|sind)\b(.*?)\b(?:drauf|draufgegangen|weggegangen|weg)\b`, `was haben wir${1}ausgegeben`},

	{`,?\s*\b(?:if|wenn) (?:everybody|everyone|they all|all of them|alle) (?:pays?|paid|zahlen|bezahlen|zahlt)(?: up)?\b`, ` in total`},
	{`\b(was|welche[rsn]?\b.*?) (ist|sind|lief|liefen|läuft|laufen|ging|gingen|geht|gehen|verkauft sich|verkauft|` +
		`hat sich)\b(.*?) am (besten|schlechtesten)(?: gelaufen| gegangen| verkauft)?`, `$1 wurde$3 am $4 verkauft`},
	{`\bam besten verkauft`, `am meisten verkauft`},
	{`\bam schlechtesten verkauft`, `am wenigsten verkauft`},
	{`\b(?:our |the )?(?:best[- ]?sellers?)\b`, `most sold item`},
	{`\b(?:gingen|ging|gehen|geht|sind|ist|went|go)\b(.*?) (?:über (?:den|die)|across the|over the) (?:tisch|tresen|ladentisch|theke|ladentheke|` +
		`verkaufstisch|counter)(?: gegangen)?`, `wurden$1 verkauft`},
	{`\b(das|die|der|den|dem|im|unsere?[mnrs]?) ganzen?\b`, `$1`},
	{`^on (?:which|what) (?:date|day) (did|was) the (heav|long|short|larg|bigg|small|cheap|light)(i?)est (\w+)\b`, `when $1 the $2${3}est $4`},
	{`\b(?:zu uns|dazu|hinzu) (?:gekommen|gestoßen|kam|kamen)\b`, `eingetreten`},
	{`\b(?:came|come) (?:to us|on board)\b|\bstart(?:ed)? with us\b`, `joined`},

	// What is not there.
	{`\b(?:are|is|have|has) (?:we|they|you)(?: completely| totally| all| clean| currently| now| already)*(?: run)? out of(\s*[?.!]|` +
		`\s*$)`, `is out of stock$1`},
	{`\b(?:has|have|is|are)(?: completely| totally| all| already| just)* (?:run|gone) out\b(\s*[?.!]|\s*$)`, `is out of stock$1`},
	{`\b(?:do|have) (?:we|they|you) (?:have )?(?:none|nothing|no more)(?: left| at all| more)* of\b|\b(?:is|` +
		`are) there none (?:left )?of\b|\bdo we have none(?: left)?\b`, `is out of stock`},
	{`\bist (?:uns )?(?:komplett |ganz |völlig |gerade |derzeit )*(?:ausgegangen|alle|nicht mehr (?:da|vorhanden|auf lager|` +
		`vorrätig))(\s*[?.!]|\s*$)`, `ist nicht vorrätig$1`},
	{`\bhaben wir (?:gar |überhaupt |derzeit )?nicht(?:s)? mehr(?: da| auf lager| vorrätig| vorhanden)(\s*[?.!]|\s*$)`,
		`ist nicht vorrätig$1`},
	{`\b(?:did|have|has) (?:we|they|i|you|someone|somebody|anyone) (?:forget|forgot|forgotten|fail|failed|omit|omitted|neglect) to ` +
		`(?:write down|write|record|note down|note|enter|log|fill in|put in|put down|measure|jot down|read)\b`, `missing`},
	{`\b(?:haben|hat) (?:wir|man|jemand|ich) (?:es )?vergessen,? (.+?) (?:aufzuschreiben|einzutragen|zu notieren|zu erfassen|` +
		`abzulesen|zu messen)`, `fehlt $1`},
	{`\b(?:brought|bring|handed|hand|given|give|gave|sent|taken) (?:(?:their|the|his|her|its|it|them|this|that|any|all|` +
		`a) )?(?:(\w+) )?back\b`, `returned $1`},

	{`\b(?:are|is)?\s*(?:still |yet )?(?:yet|need|needs|have|has|remain|remains|left) to be (\w+)\b`, ` not yet $1`},
	{`\b(?:still|yet) (?:has|have|need|needs) to pay\b|\b(?:has|have|need|needs) (?:still|yet) to pay\b`, `has not yet paid`},
	{`\b(?:müssen|muss|musst|sollen|soll) noch (.*?)(\S+t) werden\b`, `sind noch nicht $1$2`},
	{`\b(?:müssen|muss) noch (.*?)(?:be)?zahlen\b`, `hat noch nicht $1bezahlt`},
	{`\bneeds? (?:re-?)?ordering\b`, `needs reordering`},
	{`\bapiece\b`, ``},
	{`\ba fiver\b`, `5 pounds`},
	{`\ba tenner\b`, `10 pounds`},
	{`^(?:do|have) (?:we|you|they) (?:still |already )?(?:have|got) (?:any|a|an|some) (.+?)(?: left| in stock)?\s*\?*$`,
		`how many $1 do we have?`},
	{`^(?:are|is) there (?:still )?(?:any|a|an|some) (.+?) left\s*\?*$`, `how many $1 do we have?`},
	{`^haben wir (?:noch |eigentlich )?(.+?) (?:da|auf lager|vorrätig|übrig)\s*\?*$`, `wie viele $1 haben wir?`},

	{`\bout (?:at the moment|right now|now|currently|at present)\b`, `still out`},
	{`\bhave out(\s*\?*)$`, `have still out$1`},

	// What is left out, and what alone counts.
	{`\b(?:leaving out|leaving aside|excluding|except for|except|not counting|not including|apart from|ignoring|disregarding|` +
		`discounting|skipping|omitting|setting aside) ` +
		`(?:anything|everything|all|any|those|the ones|ones|whatever|what)(?: (?:that|which|who))?(?: (?:is|was|were|are|got|` +
		`have been|has been))?\b`, `except`},
	{`\b(?:ignoring|disregarding|discounting|skipping|omitting|setting aside|if (?:i|we|you) (?:ignore|leave out|exclude|skip))\b`,
		`except`},
	{`,?\s*(?:the )?(\w+)(?: ones)? (?:not included|excluded|not counted)\b`, ` except $1`},
	{`,?\s*(?:die )?(\S+) nicht (?:mitgezählt|mitgerechnet|eingerechnet|inbegriffen|berücksichtigt)\b`, ` ohne $1`},
	{`\babgesehen von\b`, `ohne`},
	{`,?\s*\b(?:counting|including|considering|looking at|taking)(?: just| only)? (?:those|the ones|ones|rows|entries|` +
		`the)(?: (?:that|which) (?:are|were|is|have been))?\b`, ` for`},
	{`\b(?:marked|flagged|down|listed|shown|noted|tagged)(?: down)? as\b`, ``},

	// With tax and without.
	{`,?\s*\b(?:inklusive|inkl\.?|einschließlich|samt|mit) (?:der |aller )?(?:steuern?|mwst\.?|mehrwertsteuer|umsatzsteuer|ust\.?)(?:$|\b)`, ` brutto`},
	{`,?\s*\b(?:ohne|exklusive|exkl\.?) (?:der |die )?(?:steuern?|mwst\.?|mehrwertsteuer|umsatzsteuer|ust\.?)(?:$|\b)`, ` netto`},
	{`,?\s*\b(?:including|incl\.?|inclusive of) (?:the )?(?:vat|tax|taxes|sales tax|gst)\b`, ` gross`},
	{`,?\s*\b(?:excluding|excl\.?|exclusive of|net of) (?:the |any )?(?:vat|tax|taxes|sales tax|gst)\b`, ` net`},
	{`\b(?:umsatz|betrag|rechnungsbetrag|gesamtbetrag) (netto|brutto)\b`, `$1`},
	{`^(?:mit|bei|für|von|an) (welche[mnr]) (\w+?)e?n? haben wir (.*?)\b(netto|brutto) (?:am|den) (?:meisten|höchsten) (?:umsatz|einnahmen)(?: gemacht| erzielt)?`,
		`welcher $2 hat $3 am meisten $4`},
	{`\b(netto|brutto) den (?:meisten|höchsten) umsatz\b`, `am meisten $1`},
	{`\bden (?:meisten|höchsten|größten) (netto|brutto)\b`, `am meisten $1`},
	{`\b(?:dem )?fälligkeits(?:tag|termin|datum)s?\b`, `der fälligkeit`},
	{`^wie lange (?:dauert|dauerte|dauern|dauerten)(?: (?:eine?|die|der|das))? (.+?) (?:im (?:schnitt|durchschnitt|mittel)|durchschnittlich)(\s*\?*)$`,
		`wie hoch ist die durchschnittliche dauer der $1$2`},
	{`\b(?:been|worked|played|sung) (?:in|at|with|for|on) (?:the|our|this) (?:club|choir|band|society|group|association|team|orchestra) (?:the )?longest\b`,
		`been a member the longest`},
	{`^welchen betrag\b`, `wie viel`},
	{`^wie oft (?:haben wir|wurde) (.+?) (?:an)?gemahnt\b`, `wie viele mahnungen hat $1`},

	// Amounts, differences, kinds.
	{`\b(?:that|which|who)?\s*(?:came|come|comes|added up|amounted|amounts|ran) to (more|less|over|under|at least|above|below|` +
		`exactly)\b`, ` with a total of $1`},
	{`^by how much (?:did|has|have) (.+?) (?:go|gone|went|rise|risen|increased?|grown?|fallen?|drop|dropped|changed?|decreased?|` +
		`climb|climbed|come)(?: up| down)? ` +
		`(?:from|between) (.+?) (?:to|and) (.+?)\s*\?*$`, `what is the difference in $1 between $2 and $3?`},
	{`^how much (?:did|has|have) (.+?) (?:go|gone|went|rise|risen|increased?|grown?|fallen?|drop|dropped|changed?|decreased?|climb|` +
		`climbed)(?: up| down)? ` +
		`(?:from|between) (.+?) (?:to|and) (.+?)\s*\?*$`, `what is the difference in $1 between $2 and $3?`},
	{`^(how many|how much) (\w+)s? (?:is|are|was|were|did) (.+?) (?:finish(?:ed)? |end(?:ed)? )?(?:ahead of|behind|in front of|clear of) (.+?)\s*\?*$`,
		`what is the difference in $2 between $3 and $4?`},
	{`^(?:how many|how much) (\w+) (?:separates?|separated|lies? between|are between|is between|is there between|are there between) (.+?) (?:and|from) (.+?)\s*\?*$`,
		`what is the difference in $1 between $2 and $3?`},
	{`^(?:what|how (?:big|large|great|wide|much)) (?:is|was)(?: the)? (?:gap|distance|lead|margin) (?:in (\w+) )?between (.+?) and (.+?)(?: in (\w+))?\s*\?*$`,
		`what is the difference in $1$4 between $2 and $3?`},
	{`\b((?:orders?|bookings?|bets?|bids?) (?:did|does|do|has|have) .+? )placed?(\s*\?*)$`, `${1}make$2`},
	{`\b((?:orders?|bookings?|bets?|bids?) (?:did|does|do) .+? )place(\s+(?:in|on|during|between|for|with|last|this|since|before|after)\b)`, `${1}make$2`},
	{`^um wie viel (?:euro |€ )?(?:ist|sind|hat|haben|stieg|stiegen|sank|sanken)(?: sich)? (.+?) (?:von|zwischen) (.+?) (?:auf|bis|nach|zu|` +
		`und) (.+?)(?: gestiegen| gesunken| gewachsen| gefallen| verändert| hochgegangen| zugenommen| ` +
		`abgenommen)?\s*\?*$`, `was ist der unterschied $1 zwischen $2 und $3?`},
	{`\b(what|which) (?:sorts?|kinds?|types?) of (?:things|stuff|bits)\b`, `which items`},
	{`\bwas für (?:sachen|dinge|zeug)\b`, `welche artikel`},
	{`\btied up\b`, ``},
	{`^what (?:did|does|do) (?:a|an|one) (kwh|m3|m2|litre|liter|kilomet(?:re|er)|km|kilo|kg|hour)(?: of (\w+))? cost(?: us| me)?\b`,
		`what is the $2 cost per $1`},
	{`^was (?:kostet|kostete|hat) (?:uns )?(?:ein|eine|der|die|das) (kwh|m3|liter|kilometer|km|kilo|kg|stunde)\b`, `was kostet pro $1`},
	{`^compare (?:the |our )?(.+?) (?:in|of|for|between) (.+?) (?:and|with|to) (.+)$`, `what is the difference in $1 between $2 and $3`},
	{`\b(sells?|sold) (?:the )?worst\b`, `$1 least`},
	{`\b(?:everything|all (?:the )?(?:stock|parts|items|stuff)|the (?:whole |entire )?stock|(?:what|` +
		`whatever) is)\b[^,?]{0,40}?\bat (?:cost|purchase|buying)(?: price)?s?\b`, `the stock worth`},
	{`\b(?:how many|number of|wie viele|anzahl(?: der)?) (.+?),? (?:in )?(pieces|units|items|stück|exemplare),? (?:not|rather than|` +
		`instead of|nicht|statt) \w+\s*[?.]?$`, `how many pieces of $1?`},
	{`\b(?:took|take|takes|taken|check|checks|checked|checking|taking) out\b`, `borrowed`},
})

// wordings is one of them.
type wording struct {
	form *regexp.Regexp
	to   string
}

func compiled(list [][2]string) []wording {
	out := make([]wording, len(list))
	for i, w := range list {
		out[i] = wording{regexp.MustCompile(`(?i)` + w[0]), w[1]}
	}
	return out
}

var spaces = regexp.MustCompile(`\s+`)

// Plain returns a question without what only asks, and with one wording of each of several that say the same.
func Plain(question string) string {
	if strings.ContainsAny(question, `"“`) || len(question) > longest {
		return question // words that are quoted stay
	}
	return rewritten(question, wordings)
}

// rewritten returns a question with wordings replaced.
func rewritten(question string, list []wording) string {
	for _, w := range list {
		if w.form.MatchString(question) {
			question = strings.TrimSpace(spaces.ReplaceAllString(w.form.ReplaceAllString(question, w.to), " "))
		}
	}
	return question
}

// otherwise are ways to say something that also may mean something else: they are read so only where the question is not understood.
var otherwise = compiled([][2]string{
	{`\baccording to (?:the|this|our) (?:list|table|sheet|records?|log|book|register)\b|\blaut (?:der |dem |unser\w* |dies\w* )?(?:\w*(?:buch|liste|tabelle))\b`, ``},
	{`\b(?:coughed up|forked out|shelled out|laid out|stumped up|splashed out)\b`, `paid`},
	{`^who (?:has |have )?spent (?:the )?(most|least)(?: money)?\b`, `who paid the $1`},
	{`^(who (?:has |is )?paid the (?:most|least))(?: money)? for (?:the|our) (?:club|team|group|firm|company)\b`, `$1`},
	{`\bcame out of (\w+)'s (?:own )?pocket\b`, `were paid by $1`},
	{`^did any(?:one|body) pay `, `did anyone paid `},
	{`^did any(?:one|body) (paid|spend|get|take|have|earn|score|buy|miss|work|book|stay|give|order) (.+?)\?(?: (?:and )?(?:if so,? )?(?:who|which|what)\?*)?$`, `who $1 $2?`},
	{`^did any(?:thing| (?:one )?(?:thing|item)s?)(?: (?:that )?(?:we|they|i) (?:bought|got|ordered))?(?: for (?:the|our) \w+)? cost (?:over|more than|above) (\d[\d.,]*)(?: (?:quid|bucks))?(?:,? (?:and )?if so,? (?:what|which))?(\s*\?*)$`,
		`which single items cost more than $1$2`},
	{`(\d) (?:quid|bucks)\b`, `$1`},
	{`\b(?:bunked off|skived|skipped)\b`, `missed`},
	{`^who (?:has )?missed (?:the )?(most|least|fewest) (days|hours|lessons|weeks)\b`, `who has the $1 $2 missed`},
	{`^how many (?:of the )?(?:kids|people|folks|pupils|children) (had|sat|took)\b`, `how many $1`},
	{`^how far apart are the best and (?:the )?worst (.+?)(?: (?:marks?|scores?|grades?|results?))?(\s*\?*)$`,
		`what is the difference between the highest and the lowest $1$2`},
	{`\b(?:gap|difference) between (?:our|the) best[- ]paid and (?:the |our )?worst[- ]paid(?: (?:person|employee|worker|one|people|staff))?`,
		`difference between the highest and the lowest wage`},
	{`^(?:have we |have you |do we have |is there |are there )?(?:got )?any(?:thing)? (?:that|which) (\w+)s? `, `which items $1 `},
	{`^how many (\w+) does the (.+?) tower over the (.+?)(\s*\?*)$`, `what is the difference in height between the $2 and the $3$4`},
	{`^how much does (.+?) (?:still )?owe(?: us)?(\s*\?*)$`, `what is the unpaid amount of $1$2`},
	{`^wie ?viel schuldet uns (.+?)(?: noch)?(\s*\?*)$`, `wie hoch ist der unbezahlte Betrag von $1$2`},
	{`^(?:is|are) there (?:any |still )+(.+?) left(?:,? (?:and )?(?:if so,? )?how (?:many|much))?(\s*\?*)$`, `how many $1 are in stock$2`},
	{`^how (?:many|much) (.+?) (?:is|are|have we got|do we have) (?:still )?left(\s*\?*)$`, `how many $1 are in stock$2`},
	{`^which (\w+) do we (?:get|buy|order|have) the (?:biggest|largest|highest|greatest) number of (?:different )?(\w+) from`, `which $1 has the most $2`},
	{`\bwith nothing (?:filled in |entered |written )?(?:under|for|in) (?:the )?(\w+)`, `with no $1`},
	{`^what is the (first|last) thing (?:we|they|i|that was) (?:put in the ground|planted)`, `which plant was planted $1`},
	{`^what was (\w+ed) (first|last)(\s*\?*)$`, `which items were $1 $2$3`},
	{`\bneu (?:in (?:den|die|das|unser\w*) (?:verein|club|firma|team|chor) )?(?:gekommen|dazugekommen|eingestiegen|dabei)\b`, `eingetreten`},
	{`\b(?:runtergerissen|abgespult|zurückgelegt|abgerissen)\b`, `gefahren`},
	{`\bgefahrene[nrs]? (kilometern?|km|meilen|strecken?)\b`, `$1`},
	{`\bvon allen (\w+) zusammengerechnet\b|\bzusammengerechnet\b|\balles in allem\b`, `insgesamt`},
	{`\bmit dem (?:auto|wagen|rad|bus) unterwegs\b`, `unterwegs`},
	{`\baller(\pL+ste[nrsm]?)\b`, `$1`},
	{`\b(die|der|eine[rn]?|\pL+ste[nr]?) tour(en)?\b`, `$1 Fahrt$2`},
	{`^how many (\w+) (?:does|do|did) ((?:the )?(?-i:\p{Lu}|\d).*?) have(\s*\?*)$`, `how many different $1 of $2 are there$3`},
	{`\b(total|average|sum) amount of (?:all )?(?:the )?`, `$1 of `},
	{`^by how much (?:does|do|did) the (?:number|total) of (.+?) in (.+?) differ from (?:the (?:number|total)|that|those) (?:of .+? )?in (.+?)(\s*\?*)$`,
		`how many more $1 were there in $2 than in $3$4`},
	{`^(?:the )?number of (\w+) per (\w+) of (?:the|their) (\w+)(\s*\?*)$`, `number of $1 per $2$4`},
	{`^(what (?:percentage|share|proportion) of \w+|how many \w+) (?:lasted|took|are|were|last|take|have|had|got) (\d+) (minutes|hours|days|weeks|months|years|nights)` +
		`(?: long| in length)?(\s*\?*)$`, `$1 with $3 $2$4`},
	{`\b(\pL+ste[nr]?) verkauften? `, `$1 `},
	{`^wie viele verschiedene (\pL+) wurden (?:verkauft|bestellt|gekauft|geliefert)\b`, `wie viele verschiedene $1 gibt es`},
	{`^how many more (\w+) than (\w+) were (?:lent|sold|borrowed|bought|ordered|taken|given|used)(?: out)?\b`, `how many more $1 than $2 were there`},
	{`^um wie ?viele? (\pL+) (?:lag|liegt|war|ist) (?:der|die|das) (\pL+) (im|in) (.+?) (?:über|höher als) (?:dem|der|das)? ?(?:im|in) (.+?)(\s*\?*)$`,
		`wie viel mehr $2 war $3 $4 als $3 $5$6`},
	{`^bei wie vielen (\pL+) fehlt (?:der|die|das) (?:name|angabe|wert) (?:des|der) (\pL+?)s?(\s*\?*)$`, `wie viele $1 ohne $2$3`},
	{`^bei wie vielen (\pL+) fehlt (?:der|die|das) (\pL+)(\s*\?*)$`, `wie viele $1 ohne $2$3`},
	// What is said besides.
	{`,\s*(?:no matter|regardless of|irrespective of) (?:what|how|who|their|its|the) [^,?0-9]*(\s*\?*)$`, `$1`},
	{`,\s*(?:counting|including) (?:every|all)(?: the)? \w+(\s*\?*)$`, `$1`},
	{`\bfood shopping\b`, `groceries`},
	{`\bumsatzsteuer\b|\bmehrwertsteuer\b`, `ust`},
	{`,\s*all(?: \w+){1,3} (?:included|together|combined|counted)(\s*\?*)$`, `$1`},
	{` (?:over|across) all (?:the )?\w+\b`, ``},
	{`,\s*haben also kein\w* frei\w* (?:platz|plätze)(?: mehr)?(\s*\?*)$`, `$1`},
	{`\bare represented(?: (?:in|on) (?:our|the) \w+)?\b`, `are there`},
	{`\b(?:by|from) (?:those|the ones|members) who\b`, `of members who`},
	{`^what (?:is|was) the (?:number|name|id|code|title|registration|reference) of the (\w+) with (.*)$`, `which $1 has $2`},
	{`^(?:which|who)(?: \w+)?? (?:did|does|do|was|is|scored|performed) better (?:in|at|on) ([^,]*?)[,:;] ?(.+?) or (.+?)\s*\?*$`,
		`does $2 have higher $1 than $3?`},
	{`^(?:which|who)(?: \w+)?? (?:did|does|do|was|is|scored|performed) worse (?:in|at|on) ([^,]*?)[,:;] ?(.+?) or (.+?)\s*\?*$`,
		`does $2 have lower $1 than $3?`},
	{`\b(?:for|in|over|during) the first three months(?: of the year)?\b`, `from january to march`},
	{`\b(?:in|für|während) (?:den|die) ersten drei monaten?\b`, `von januar bis märz`},
	{`\b(?:this|the) season(\s*\?*)$`, `$1`},
	{`^(?:which|who|what)(?: of (?:the|these|those|our) (?:two|\w+s))?(?: one| \w+)?? ` + has + ` (` + comparative + `[^,]*?)[,:;] ?(?:the )?(.+?) or (?:the )?(.+?)\s*\?*$`,
		`does $3 $1 $2 than $4?`},
	{`^(?:which|who|what)(?: one| \w+)?? (is|was|are|were) (` + comparative + `) (.+?) or (.+?)\s*\?*$`, `does $3 $1 $2 than $4?`},
	{`^(is|was|are|were|does|do|did|has|have) (.+?) or (.+?) (` + comparative + `)\s*\?*$`, `$1 $2 $4 than $3?`},
	{`^(?:was|wer|welche[rsn]?)(?: \w+)?? (ist|war|hat|hatte|kostet|verbraucht|verdient|sind|haben) ([^,]*?` + comparative + `[^,]*?)[,:;] ?(?:de[rnm] |die |das )?(.+?) oder (?:de[rnm] |die |das )?(.+?)\s*\?*$`,
		`$1 $3 $2 als $4?`},
	{`\b(won|win|wins|winner of|gewann|gewonnen) (?:the |das |den )?(?:race|game|tournament|competition|contest|event|match|run|rennen|turnier|wettkampf|lauf)\b`, `$1`},
	{`\b(\w+) (?:number|no\.?|nr\.?|nummer) (\d+)\b`, `$1 $2`},
	{`\b(?:carry|carries|have|has|use|uses|with|at|charged?|haben|hat|mit) (?:the |an? |einem |dem )?(\d+(?:[.,]\d+)?) ?% (\w+)(?: rate)?\b`, `with $2 $1`},
	{`^was (?:zahlen|bezahlen|zahlten) wir (?:(?:insgesamt|im monat|pro monat|monatlich|im jahr|jährlich|zusammen) )*(?:an|für) (\S+?)(?: insgesamt)?(\s*\?*)$`, `summe $1$2`},
	{`^(?:what|how much) do we (?:pay|spend) (?:(?:in total|a month|per month|each month|a year|per year|altogether|in all) )*(?:on|in|for) (.+?)(?: in total| a month| per month| altogether)?(\s*\?*)$`,
		`total $1$2`},
	{`^was (hat|haben) (.+?) an (\S+?kosten|\S+?gebühren) (?:gehabt|gezahlt|bezahlt|verursacht)(\s*\?*)$`, `wie hoch sind die $3 von $2$4`},
	{`,? (?:going|judging|counted|taken) by (?:the )?(?:\w+ )?date\b`, ``},
	{`\b(?:auf dem buckel|auf der uhr|auf dem tacho|runter|drauf)\b`, ``},
	{`\bon (?:the|our) (?:list|sheet|books|programme|program|register|site)\b`, ``},
	{`\b(?:in|at) (?:the|our) (?:league|division|competition)(\s*\?*)$`, `$1`},
	{`\bin (?:the|our) (?:park|club|village|town|garden|house|building|shop|library|office|firm|company|museum|list|table|sheet|file|register|programme|fleet|herd|flock|choir|team)(\s*\?*)$`, `$1`},
	{`\b(?:im|in der|in unserem|in unserer) (?:park|verein|dorf|garten|haus|laden|bücherei|büro|firma|museum|liste|tabelle|datei|fuhrpark|chor|mannschaft|herde)(\s*\?*)$`, `$1`},
	{`\b(\w+) vs\.? (\w+)\b`, `$1 and $2`},
	{`^(?:which|what) (?:kind|type|sort)s? of (\w+) `, `which $1 `},
	{`\b(?:were|was|have i|have we|did i|did we) (?:claimed|billed|logged|recorded|invoiced|booked|entered)\b`, ``},
	{` über alle \S+`, ``},
	{`\b(?:only|just) (\w+) once\b|\b(\w+) (?:only|just) once\b`, `$1$2 exactly 1 times`},
	{`\bnur einmal (\w+)`, `$1 genau 1 mal`},
	{` per (?:unit|piece)(\s*\?*)$`, `$1`},
	{`^which (\w+) do (?:we|i|they) (?:use|visit|see|order from|buy from|go to|choose|pick|call) (?:the )?most(?: often)?(\s*\?*)$`, `which $1 is most common$2`},
	{`^which (\w+) do (?:we|i|they) (?:use|visit|see|order from|buy from|go to|choose|pick|call) (?:the )?least(?: often)?(\s*\?*)$`, `which $1 is least common$2`},
	{`^(?:which|what) (\w+) (?:is|was) (.+?) (?:sitting |seated |assigned |placed |put )?(?:at|in|on|to)(\s*\?*)$`, `what is the $1 of $2$3`},
	{`^how many times (?:did|have) (?:i|we) (?:shop|shopped|go|gone|been|eat|eaten|visit|visited)(?: at| to| in)? (.+)$`, `how many entries with $1`},
	{`^how many (\w+) long (?:are|is|were|was) (.+?) (?:together|in total|altogether)(\s*\?*)$`, `total $1 of $2$3`},
	{`^how much (?:did|have|do) (?:we|they|you) (?:receive|get|take|collect|raise)d? in (\w+)`, `how much is the total of $1`},
	{`\b(goals? (?:did|have|has) .+? )(?:score|scored|shoot|shot)\b`, `${1}have`},
	{`^bei welchen (zwei|drei|vier|fünf|zehn|\d+) (\S+) (?:ist|war|sind|waren) (?:der|die|das) (\S+) am (höchsten|größten|niedrigsten|kleinsten)`, `welche $1 $2 haben den $4 $3`},
	{`^wie viele? (\S+) mehr als (.+?) (hat|haben|hatte) (.+?) (?:(?:im|in diesem) (?:ganzen )?jahr )?(\S+t)(\s*\?*)$`, `wie viel $1 $3 $4 mehr $5 als $2$6`},
	{`^how many (.+?) (?:are|is) (?:still )?(?:left|remaining)(?: over| in stock)?(\s*\?*)$`, `how many $1 do we have$2`},
})

// Otherwise returns a question with such wordings replaced; empty if it has none.
func Otherwise(question string) string {
	if out := rewritten(Plain(question), otherwise); out != Plain(question) {
		return out
	}
	return ""
}

const longest = 500 // bytes of a question that is put plainly

var (
	bracketed = regexp.MustCompile(`\s*\(([^()]*)\)`)
	explained = regexp.MustCompile(`(?i)[,.?!;:–-]*\s*(?:\bthat is,|\bi mean\b|\bmeaning\b|\bich meine\b|\bgemeint (?:ist|sind)\b|` +
		`\bor rather\b|\bbesser gesagt\b|,\s*also\b|\bnamely\b|\bnämlich\b)[ ,:]*`)
	sentences = regexp.MustCompile(`[.?!]+\s+`)
	everybody = regexp.MustCompile(`(?i)^(?:everyone|everybody|anyone|anybody|all those|those|people|alle|jeder|` +
		`diejenigen)\s+(?:with|who has|who have|that have|mit|die)\b`)
)

// Asides returns the parts of a question of which one may say it all, each with the rest of it: what stands in brackets,
// explains, or is a sentence of its own.
func Asides(question string) (list [][2]string) {
	if m := bracketed.FindStringSubmatch(question); m != nil {
		list = append(list, [2]string{bracketed.ReplaceAllString(question, ""), strings.Join(bracketed.FindAllString(question, -1), " ")})
	}
	if at := explained.FindStringIndex(Plain(question)); at != nil && at[0] > 0 {
		before, after := Plain(question)[:at[0]], Plain(question)[at[1]:]
		list = append(list, [2]string{before, after}, [2]string{everybody.ReplaceAllString(after, "who has"), before})
	}
	for _, at := range sentences.FindAllStringIndex(question, 3) {
		before, after := question[:at[1]], question[at[1]:]
		if len(strings.Fields(before)) > 1 && len(strings.Fields(after)) > 0 {
			list = append(list, [2]string{before, after}, [2]string{after, before})
		}
	}
	return list
}
