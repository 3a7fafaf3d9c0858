package terms

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Language is a two-letter code, or "" for an unknown language.
type Language string

// Of guesses the language of text by its stop words: English on a tie, "" if
// there are none.
func Of(text string) Language {
	counts := make([]int, len(languages))
	Scan(text, func(word []byte, _, _ int, _ bool) {
		set := stopWords[string(word)]
		for i := range languages {
			counts[i] += int(set >> i & 1)
		}
	})
	best := -1
	for i, n := range counts {
		if n > 0 && (best < 0 || n > counts[best]) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	return languages[best]
}

// May reports whether a text may be in the language: its stop words tell no other
// one and, where it has none, its letters are those of ASCII if the language is
// English, and Latin ones in any case.
func May(text string, lang Language) bool {
	if of := Of(text); of != "" {
		return of == lang
	}
	for _, r := range text {
		if r >= utf8.RuneSelf && unicode.IsLetter(r) && (lang == "en" || !unicode.Is(unicode.Latin, r)) {
			return false
		}
	}
	return true
}

// Stop reports whether the folded word is a stop word of the language, or of
// English for "".
func Stop(lang Language, word string) bool {
	set := stopWords[word]
	if set == 0 {
		return false
	}
	if lang == "" {
		return set&1 != 0
	}
	for i, l := range languages {
		if l == lang {
			return set>>i&1 != 0
		}
	}
	return false
}

var languages = []Language{"en", "de", "es", "fr", "it", "nl", "pt", "ru", "ar", "hi", "zh", "ja"}

// stopWords maps a word to the languages in which it is a stop word, one bit
// each in the order of languages. Chinese and Japanese entries are pairs of
// characters, like their words. Read only.
var stopWords = stopTable(
	`a about above after again against all also am an and any are arent as at be because been before being below
	between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each either etc
	ever few for from further had has hasnt have havent having he her here hers herself him himself his how however i
	if in into is isnt it its itself ive just lets may me might more most much must my myself no nor not now of off on
	once one only or other our ours ourselves out over own per please said same shall she should so some such tell than
	that thats the their theirs them themselves then there theres these they theyll theyre theyve this those though through to too under
	until up upon us ve very via was wasnt we were werent weve what whats when where whether which while who whom whos whose why
	will with within without wont would wouldnt yet you youd youll youre youve your yours yourself`,
	`ab aber alle allem aller allerdings alles als also am an andere anderem anderen anderer anderes ans anstatt auch auf aufs aus
	ausser ausserdem bei beide beiden beim bereits bevor bin bis bisher bist bitte bzw da dabei dadurch dafur dagegen
	daher damit danach dann daran darauf daraus darf darfst darin daruber darum darunter das dass davon davor dazu dein
	deine deinem deinen deiner deines dem demnach den denen denn dennoch der deren derselbe derselben des deshalb dessen
	deswegen die dies dir diese dieselbe dieselben diesem diesen dieser dieses doch dort dran drauf drin du durch durfen durft durfte durften
	ebenfalls ebenso ein eine einem einen einer eines einige einigem einigen einiger einiges er es etwa etwas euch euer
	eure eurem euren eurer eures falls fur gab gegen gehabt gern gerne gewesen geworden ggf gibt gibts habe haben habt hat hatte
	hatten hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem ins ist ja jede jedem jeden jeder
	jedes jedoch jemals jemand jemandem jemanden jene jenem jenen jener jenes jetzt kann kannst kein keine keinem keinen
	keiner keines konnen konnt konnte konnten lang lange mal man manche manchem manchen mancher manches mehr mein meine meinem
	meinen meiner meines mich mir mit mochte mochten mochtest mogen muss mussen musst musste mussten nach nachdem namlich nen ner
	nicht nichts nie niemals niemand noch nun nur ob obwohl oder ohne pro raus rauf rein rum runter schon sehr seid sein seine seinem seinen seiner
	seines seit selber sich sie sind so sobald sofern sogar solch solche solchem solchen solcher solches soll sollen
	sollst sollt sollte sollten somit sondern sonst soweit sowie sowohl trotz tun uber uberhaupt um und uns unser unsere
	unserem unseren unserer unseres unter vom von vor wahrend wann war waren warst warum was weder wegen weil welche
	welchem welchen welcher welches wem wen wenn wer werde werden werdet weshalb wessen wie wieder wieso wieviel willst
	wir wird wirst wo wobei wodurch wofur wogegen woher wohin wollen wollt wollte wollten womit wonach woran worauf woraus
	worden worin woruber worum wovon wovor wozu wurde wurden wurdest zu zum zur zwar zwischen`,
	`a al algo ante antes aquel aqui asi aun aunque bajo bien cada como con contra cual cuales cuando cuanto cuantos de
	del desde donde dos durante e el ella ellas ellos en entre era eran es esa ese eso esta estaba estan estar este
	estos fue fueron ha habia hace han hasta hay la las le les lo los mas me mi mientras muy nada ni no nos o os otra
	otro para pero poco por porque que quien quienes se ser si sido sin sobre solo son su sus tambien tanto te tiene
	tienen todo todos tras tu un una uno unos y ya yo`,
	`a afin ainsi alors apres au aucun aussi autre aux avait avant avec avez avons c car ce cela ces cet cette ceux chez
	comme comment d dans de depuis des donc dont du elle elles en entre est et etaient etait ete etre eu fait fut il ils
	j je l la le les leur leurs lui m ma mais me meme mes moins mon n ne nos notre nous on ont ou par parce pas pendant
	peut plus pour pourquoi quand que quel quelle quelles quels qui quoi s sa sans se selon ses si son sont sous sur t
	ta tandis tel tous tout toute tres tu un une vers vos votre vous y`,
	`a ad agli ai al alla alle allo anche ancora aveva c che chi ci come con contro cosa cui d da dagli dai dal dalla
	dalle degli dei del dell della delle dello di dopo dove due e ed era erano essere fino fra fu gli ha hanno i il in
	io l la le lei lo loro lui ma mentre mi molto ne nei nel nella nelle no noi non nostro o ogni ora per perche piu
	poi prima quale quali quando quanto quella quelle quello questa queste questi questo qui se sei senza si sia sono
	sopra sotto stata stato su sua sue sul sulla suo suoi tra tutti tutto un una uno`,
	`aan al alle als andere bij daar dan dat de der deze die dit doch door dus een en er ge geen geweest had heb hebben
	heeft hem het hier hij hoe hun iets ik in is ja je kan kon kunnen maar me meer men met mijn moet na naar niet niets
	nog nu of om omdat ons ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want
	waren was wat we wel welke werd wezen wie wij wil worden wordt zal ze zich zij zijn zo zonder zou`,
	`a ao aos as ate com como contra cuja cujo da das de dela dele depois do dos e ela elas ele eles em entre era eram
	essa esse esta estao estava este eu foi foram ha isso isto ja la lhe mais mas me mesmo meu muito na nao nas nem no
	nos nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando quanto que quem se sem
	ser seu seus so sob sobre sua suas tambem te tem tinha todo todos tu um uma voce voces`,
	`а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если есть
	еще же за здесь и из или им их к как какая какие каков какой когда кого кто ли либо мне может мы на над надо наш не
	него нее нет ни них но ну о об однако он она они оно от очень по под после при про с сколько со так также такой там
	те тем то того тоже той только том ты у уже чего чем что чтобы чье чья эта эти это этого этой этот я`,
	`إلى الى أن ان إن أو او أي أية اي أين اين إذا اذا التي الذي الذين بعد بين به بها تلك ثم حتى حيث دون ذلك عن عند على
	عليه عليها في فيه فيها قبل قد كان كانت كل كم كما كيف لا لدى لكن لم لماذا لن له لها ليس ما ماذا متى مدة مع من منذ منها
	منه نحو هذا هذه هل هم هنا هناك هو هي و وقد ولا وهو وهي يا يكون تكون`,
	`अगर अपना अपनी अपने आदि आप इन इस इसका इसकी इसके उन उनका उनकी उनके उस उसका उसकी उसके एक एवं और कब कभी कर करना करने करता का
	कितना कितनी कितने किन किस किसका किसकी किसके किसी किसे की कुछ के को कोई कौन कौनसा क्या क्यों कहाँ कहां कैसा कैसी कैसे गई गए
	गया चाहिए जब जहाँ जहां जा जाता जाती जाते जैसे जो तक तब तो था थी थे दिया द्वारा न नहीं ने पर भी मगर में मैं यदि यह यहाँ यहां
	या ये रहा रही रहे लिए लेकिन वह वहाँ वहां वाला वाली वाले वे सकता सकती सकते सब साथ से सो ही हुआ हुई हुए हूँ है हैं हो होता
	होती होते होना हम`,
	`一个 一些 为什 什么 么时 么样 了吗 以及 什麼 为了 们的 他们 它们 因为 可以 如何 怎么 怎样 怎麼 我们 或者 所以 是不 是否 是什 时候 有多 有什
	没有 的人 的吗 的是 而且 能否 虽然 谁是 还是 这个 这些 这是 那个 那些 那么 哪一 哪个 哪里 哪些 几个 多久 多少 但是 从哪 在哪`,
	`ある いう いか いつ いつま いて いと いま うか うし うで うに えま から かに がど きま くだ くら この これ さい され しい しか した して しま
	すか する せん そう その それ たか ださ たは たの だけ つま ての ての ても ては てい です でし では でも との とは とも どう どこ どの どれ ない
	なぜ なに なの など なり なる には にな ので のか のは はい はど ばん べき まし ます ませ まで もの よう より られ りま りら るか るの るに れた
	れて れは れま れる をど んか んで んな 何が 何で 何の 何を 誰が`,
)

func stopTable(lists ...string) map[string]uint16 {
	table := make(map[string]uint16, 1024)
	for i, list := range lists {
		for word := range strings.FieldsSeq(list) {
			table[word] |= 1 << i
		}
	}
	return table
}

// Stops returns the stop words of the language, or of English for "", in no order.
func Stops(lang Language) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range stopWords {
			if Stop(lang, word) && !yield(word) {
				return
			}
		}
	}
}
