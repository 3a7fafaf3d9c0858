package retrieval_test

import (
	"testing"

	"lectern/shared/knowledge/retrieval"
)

// parallel are the same five passages in eight languages, each with a question
// about it that bends its words another way.
func parallel() map[string][5][2]string {
	return map[string][5][2]string{
		"en": {
			{"Honey bees dance to tell their sisters where flowers with nectar grow. The angle of the dance shows the direction.",
				"How does a bee show the way to a flower?"},
			{"The volcano erupted in the night and covered three villages with ash. Nobody was killed because the people had been warned.",
				"Which villages lay under volcanic ashes?"},
			{"The city library is open from nine to six on weekdays. Books may be borrowed for four weeks.", "How long may I borrow a book from libraries?"},
			{"Vaccines train the immune system with harmless parts of a virus. Children receive the first one at two months.",
				"At what age is a child first vaccinated?"},
			{"The night train to Vienna leaves platform seven at half past ten. Tickets for the sleeping car must be reserved.",
				"When do night trains to Vienna leave?"},
		},
		"es": {
			{"Las abejas bailan para contar a sus hermanas dónde crecen las flores con néctar. El ángulo del baile muestra la dirección.",
				"¿Cómo muestra una abeja dónde crece una flor?"},
			{"El volcán entró en erupción por la noche y cubrió tres aldeas con ceniza. Nadie murió porque la gente había sido avisada.",
				"¿Qué aldea quedó cubierta por las cenizas del volcán?"},
			{"La biblioteca municipal abre de nueve a seis los días laborables. Los libros se pueden prestar durante cuatro semanas.",
				"¿Cuánto tiempo prestan un libro las bibliotecas?"},
			{"Las vacunas entrenan el sistema inmunitario con partes inofensivas de un virus. Los niños reciben la primera a los dos meses.",
				"¿A qué edad recibe un niño la primera vacuna?"},
			{"El tren nocturno a Viena sale del andén siete a las diez y media. Los billetes del coche cama deben reservarse.",
				"¿A qué hora salen los trenes nocturnos a Viena?"},
		},
		"de": {
			{"Honigbienen tanzen, um ihren Schwestern zu zeigen, wo Blüten mit Nektar wachsen. Der Winkel des Tanzes zeigt die Richtung.",
				"Wie zeigt eine Biene den Weg zu einer Blüte mit Nektar?"},
			{"Der Vulkan brach in der Nacht aus und bedeckte drei Dörfer mit Asche. Niemand starb, weil die Menschen gewarnt worden waren.",
				"Welches Dorf lag unter der Asche des Vulkans?"},
			{"Die Stadtbücherei ist werktags von neun bis sechs geöffnet. Bücher dürfen vier Wochen lang ausgeliehen werden.",
				"Wie lange darf man ein Buch ausleihen?"},
			{"Impfungen üben das Immunsystem mit harmlosen Teilen eines Virus. Kinder erhalten die erste mit zwei Monaten.",
				"Wann bekommt ein Kind die erste Impfung?"},
			{"Der Nachtzug nach Wien fährt um halb elf von Gleis sieben ab. Karten für den Schlafwagen müssen reserviert werden.",
				"Von welchem Gleis fahren Nachtzüge nach Wien?"},
		},
		"ru": {
			{"Медоносные пчёлы танцуют, чтобы рассказать сёстрам, где растут цветы с нектаром. Угол танца показывает направление.",
				"Как пчела показывает дорогу к цветку?"},
			{"Вулкан проснулся ночью и засыпал пеплом три деревни. Никто не погиб, потому что людей предупредили.", "Какую деревню покрыл пепел вулкана?"},
			{"Городская библиотека открыта по будням с девяти до шести. Книги выдают на четыре недели.", "На сколько недель можно взять книгу в библиотеке?"},
			{"Прививки учат иммунную систему на безвредных частях вируса. Дети получают первую в два месяца.", "В каком возрасте ребёнок получает первую прививку?"},
			{"Ночной поезд в Вену отходит с седьмого пути в половине одиннадцатого. Билеты в спальный вагон нужно бронировать.",
				"Когда отходят ночные поезда в Вену?"},
		},
		"ar": {
			{"ترقص النحلات لتخبر أخواتها أين تنمو الأزهار الغنية بالرحيق. تبين زاوية الرقصة الاتجاه.", "كيف ترقص النحلة لتدل على الأزهار؟"},
			{"ثار البركان ليلا وغطى الرماد ثلاث قرى. لم يمت أحد لأن الناس تلقوا تحذيرا.", "أي القرى غطاها رماد البركان؟"},
			{"تفتح مكتبة المدينة من التاسعة حتى السادسة في أيام العمل. يمكن استعارة الكتب لمدة أربعة أسابيع.", "كم مدة استعارة الكتاب من المكتبة؟"},
			{"تدرب اللقاحات جهاز المناعة بأجزاء غير ضارة من الفيروس. يتلقى الأطفال اللقاح الأول في عمر شهرين.", "في أي عمر يتلقى الطفل اللقاح الأول؟"},
			{"يغادر القطار الليلي إلى فيينا الرصيف السابع في العاشرة والنصف. يجب حجز تذاكر عربة النوم.", "متى يغادر القطار إلى فيينا؟"},
		},
		"hi": {
			{"मधुमक्खियाँ नाचकर अपनी बहनों को बताती हैं कि पराग वाले फूल कहाँ उगते हैं। नाच का कोण दिशा दिखाता है।", "मधुमक्खी फूल की दिशा कैसे बताती है?"},
			{"ज्वालामुखी रात में फटा और तीन गाँव राख से ढक गए। कोई नहीं मरा क्योंकि लोगों को चेतावनी मिल गई थी।", "ज्वालामुखी की राख से कौन से गाँव ढक गए?"},
			{"नगर पुस्तकालय कामकाजी दिनों में नौ से छह बजे तक खुला रहता है। किताबें चार सप्ताह के लिए उधार मिलती हैं।",
				"पुस्तकालय से किताब कितने सप्ताह के लिए मिलती है?"},
			{"टीके विषाणु के हानिरहित अंशों से प्रतिरक्षा तंत्र को सिखाते हैं। बच्चों को पहला टीका दो महीने में लगता है।", "बच्चे को पहला टीका कब लगता है?"},
			{"वियना की रात की रेलगाड़ी साढ़े दस बजे सातवें प्लेटफ़ॉर्म से छूटती है। शयनयान के टिकट पहले से लेने होते हैं।",
				"वियना की रेलगाड़ी किस प्लेटफ़ॉर्म से छूटती है?"},
		},
		"zh": {
			{"蜜蜂通过舞蹈告诉姐妹们哪里有带花蜜的花朵。舞蹈的角度表示方向。", "蜜蜂怎样用舞蹈表示花朵的方向？"},
			{"火山在夜间爆发，火山灰覆盖了三个村庄。由于居民事先得到警告，没有人死亡。", "哪些村庄被火山灰覆盖？"},
			{"市图书馆工作日九点到六点开放。图书可以借阅四个星期。", "图书馆的书可以借多久？"},
			{"疫苗用病毒的无害部分训练免疫系统。儿童在两个月大时接种第一针。", "儿童什么时候接种第一针疫苗？"},
			{"开往维也纳的夜车十点半从七号站台出发。卧铺车票必须预订。", "去维也纳的夜车从哪个站台出发？"},
		},
		"ja": {
			{"ミツバチは踊りで、蜜のある花がどこに咲くかを姉妹に伝える。踊りの角度が方向を示す。", "ミツバチは花の方向をどう伝えますか？"},
			{"火山が夜に噴火し、三つの村が灰に覆われた。住民は警告を受けていたので、死者はいなかった。", "火山の灰に覆われた村はどれですか？"},
			{"市立図書館は平日の九時から六時まで開いている。本は四週間借りることができる。", "図書館の本は何週間借りられますか？"},
			{"ワクチンは無害なウイルスの一部で免疫系を鍛える。子供は生後二か月で最初の接種を受ける。", "子供は最初のワクチン接種をいつ受けますか？"},
			{"ウィーン行きの夜行列車は十時半に七番線から出る。寝台車の切符は予約が必要である。", "ウィーン行きの夜行列車は何番線から出ますか？"},
		},
	}
}

// TestLanguages asks each question of all passages in all languages at once:
// the passage comes first, and nineteen questions in twenty are called answered.
func TestLanguages(t *testing.T) {
	s := open(t)
	topics := []string{"bees", "volcano", "library", "vaccine", "train"}
	for language, list := range parallel() {
		for i, p := range list {
			ingest(t, s, language+"-"+topics[i], p[0], nil)
		}
	}
	all, relevant := 0, 0
	for language, list := range parallel() {
		for i, p := range list {
			got, found := search(t, s, retrieval.Query{Text: p[1], Limit: 3})
			if want := language + "-" + topics[i]; len(got) == 0 || got[0] != want {
				t.Errorf("Search(%q) = %v, want %s first", p[1], got, want)
			}
			all++
			if found.Relevant {
				relevant++
			}
		}
	}
	if relevant*20 < all*19 {
		t.Errorf("%d of %d questions are called answered, want nineteen in twenty", relevant, all)
	}
}
