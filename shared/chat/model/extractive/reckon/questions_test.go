package reckon_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/shared/chat/model/extractive/reckon"
	"lectern/shared/database/sqldrivers"
)

// TestQuestions: what people ask of the tables they keep, with what is said and which rows it is of.
func TestQuestions(t *testing.T) {
	ask(t, []asked{
		{"", `Team|P|W|D|L|GF|GA|Pts
Ashford|22|15|4|3|48|20|49
Brook Rovers|22|14|3|5|44|25|45
Carlow|22|12|6|4|39|24|42
Denby Town|22|8|5|9|30|33|29
Eastgate|22|6|4|12|25|41|22
Fenwick|22|3|2|17|15|58|11`, `
Who is bottom? => [5]
Who is top of the league? => [0]
Which team has the second most points? => [1]
who came third? => [2]
Which team lost the most games? => [5]
Has Carlow scored more goals than Denby Town? => Yes: [2 3]
How many points is Ashford ahead of Brook Rovers? => 4: [0 1]
How many points separate Ashford and Carlow? => 7: [0 2]
What is the difference in points between Denby Town and Eastgate? => 7: [3 4]
Did Fenwick win more games than Eastgate? => No: [5 4]
Which teams have more than 40 points? => [0 1 2]
How many goals did Eastgate let in? => 41: [4]
second highest points => [1]
third fewest points => [3]
which teams lost fewer than 5? => [0 2]
What is Carlow's goal difference? => 15: [2]`},
		{"foods", `Food|Serving|kcal|Protein (g)|Fat (g)|Carbs (g)
Banana|1 medium|105|1.3|0.4|27
Almonds|30 g|174|6.4|15|6.1
Lentils, cooked|100 g|116|9.0|0.4|20
Salmon|100 g|208|20.4|13.4|0
Oat milk|200 ml|94|2.0|3.0|13.4
Rice|100 g|130|2.7|0.3|28.2`, `
List all foods with less than 1 g of fat => [0 2 5]
Which food has the second highest protein? => [2]
Does salmon have more fat than almonds? => No: [3 1]
How much more protein does salmon have than lentils? => 11.4: [3 2]
Which has fewer calories, rice or banana? => [0]
which one has the least carbs? => [3]
Which foods have over 5 g of protein? => [1 2 3]
foods with under 120 calories? => [0 2 4]
Is there anything with no carbs? => Yes: [3]
top 3 by protein => [3 2 1]`},
		{"", `Month|Electricity (kWh)|Gas (kWh)|Water (m3)|Cost
January 2026|310|1450|9.1|€245.80
February 2026|285|1320|8.4|€221.15
March 2026|270|980|8.9|€187.40
April 2026|240|560|9.0|€141.00
May 2026|225|210|9.7|€102.35
June 2026|230|90|10.4|€96.20
July 2026|260|60|11.8|€99.90`, `
Was June cheaper than July? => Yes: [5 6]
Which month was the second most expensive? => [1]
How much more did we pay in January than in June? => €149.60: [0 5]
By how much did gas drop from March to April? => 420: [2 3]
In which months did we use more than 280 kWh of electricity? => [0 1]
Did we use more water in July than in May? => Yes: [6 4]
How much gas did we use from January to March? => 3750: [0 1 2]
What did we pay in the first quarter? => €654.35: [0 1 2]
what was the total cost? => €1093.80: [0 1 2 3 4 5 6]
Which month had the lowest bill? => [5]
how much was the february bill => €221.15: [1]
What was the average monthly cost? => €156.26: [0 1 2 3 4 5 6]`},
		{"", `Plot|Tenant|Size (sqm)|Rent per year|Paid
A1|Hilda Moss|120|£45|yes
A2|Omar Reed|80|£30|no
A3||100|£38|
A4|Jo Penn|150|£56|yes`, `
Who rents plot A3? => [2] empty
Which plots are vacant? => [2]
Who has the biggest plot? => [3]
Who has not paid? => [1]
Who pays the most? => [3]
What is the rent of A2? => [1]
how much rent do we get in total => £169: [0 1 2 3]
Who is the tenant of the smallest plot? => [1]
Is Omar's plot bigger than Hilda's? => No: [1 0]
Is Omar Reed's plot bigger than Hilda Moss's? => No: [1 0]
Which plot is bigger, A1 or A4? => [3 0]
How much bigger is A4 than A2? => 70: [3 1]
How much more does Jo Penn pay than Omar Reed? => £26: [3 1]`},
		{"", `Kind|Preis|Gewicht (kg)|Lager
Fahrrad Alpin|899,00 €|14,2|3
Fahrrad City|549,00 €|16,8|12
Roller|129,90 €|5,1|30`, `
Was ist teurer, Fahrrad Alpin oder Fahrrad City? => [0 1]
Ist der Roller leichter als das Fahrrad City? => Ja: [2 1]
Wie viel teurer ist Fahrrad Alpin als Fahrrad City? => 350 €: [0 1]
Was ist das zweitteuerste? => [1]
Was kostet am meisten? => [0]`},
		{"", `Hotel|Stars|Price per night|Breakfast|Pool|Distance to centre (km)
Alba|4|€120|yes|no|0.8
Bella Vista|3|€85|yes|yes|3.2
Corona|5|€240|no|yes|0.3
Dolce|2|€55|no|no|5.5`, `
Is Alba cheaper than Corona? => Yes: [0 2]
Which is cheaper, Alba or Bella Vista? => [1 0]
which hotel is closer to the centre, Alba or Corona? => [2 0]
How much more expensive is Corona than Dolce? => €185: [2 3]
Who has more stars, Alba or Corona => [2]
Is Bella Vista or Dolce cheaper? => [3 1]
cheapest hotel with pool? => [1]
Which hotels have a pool and breakfast? => [1]
Which hotels cost under 100 a night? => [1 3]
How much would three nights at Alba cost? => €360: [0]
Does the Corona include breakfast? => No: [2]
second cheapest hotel => [1]
Which hotel has the most stars? => [2]
Is there a hotel with a pool under €100? => Yes: [1]`},
		{"", `SKU|Item|Kind|Qty|Bin|Price
A1|LED front light|Lights|16|D1|39.95
A2|LED rear light|Lights|28|D1|24.95
A3|Bottle cage|Extras|45|D3|9.80
A4|U-lock|Extras|0|D3|54.00
A5|Helmet M|Helmets|10|D2|69.00
A6|Helmet L|Helmets|3|D2|69.00`, `
how many rear lights are left in the shop? => 28: [1]
Have we got any U-locks left? => No: [3]
where are the bottle cages kept? => [2]
what are all the helmets in stock worth together? => 897: [4 5]
how many pedals have we got in stock? => none
Which of the lights is cheaper, the front light or the rear light? => [1 0]`},
		{"", `Region|Country|Rep|Q1 (k€)|Q2 (k€)|Q3 (k€)|Q4 (k€)|FY25 (k€)
North|Sweden|Lind|412|388|365|470|1,635
North|Norway|Kosk|301|287||344|932
North|Subtotal||713|675|365|814|2,567
South|Spain|Ibar|468|510|433|557|1,968
South|Italy|Conti|521|498|407|612|2,038
South|Subtotal||989|1,008|840|1,169|4,006
Total|||1,702|1,683|1,205|1,983|6,573`, `
what did Italy sell in the third quarter? => 407: [4]
How much did Conti sell over the whole year? => 2038: [4]
what share of total sales came from the south? => none`},
		{"", `Pupil|Set|Maths|Abs. (days)
Daisy Fair|A|82|0
Finn Mac|B|71|6
Isla Drum|B|63|3`, `
Has Daisy missed any school days? => No: [0]
Has Finn missed any school days? => Yes: [1]
who did better in maths, Isla or Finn? => [1 2]
how is Isla Drum getting on? => [2]`},
		{"", `Team|Pld|W|D|L|Pts
Stoke Lacy FC|22|12|6|4|42
Harwick Rovers|19|10|3|6|33
Wether Wdrs|18|7|0|11|21`, `
How far ahead of Harwick are Stoke Lacy on points? => 9: [1 0]
Have Wether drawn a single game this season? => No: [2]
how many clubs have been beaten 6 times or more? => 2: [1 2]
who is the top goalscorer? => none`},
		{"", `Date|Category|Amount
2026-03-02|Flight|412.60
2026-03-04|Hotel|438.00
2026-03-05|Hotel|169.00
2026-03-06|Taxi|17.90`, `
How much more did the hotels cost than the flight? => 194.40: [1 2 0]`},
		{"", `Dish|Cook (min)|kcal/portion|Cost/portion|Diet
Fish finger tacos|18|467|£1.70|
Turkey meatballs|25|410|£2.00|GF
Red lentil dal|30|388|£0.85|vegan
Chickpea stew|45|342|£1.10|vegan, GF
Tofu ramen|20|476|£2.80|vegan`, `
what can I cook for a vegan? => [2 3 4]
what do the vegan meals cost per portion on average? => £1.58: [2 3 4]
which is lighter in calories, the fish tacos or the turkey meatballs? => [1 0]
how many of these dishes are vegan? => 3: [2 3 4]`},
		{"rota", `Name|Mon 2/3|Tue 3/3|Wed 4/3|Thu 5/3|Fri 6/3
Priya|early|late|off|early|late
Tom|late|off|early|early|early
Aneta|off|early|late|late|early
Sam|night|night|off|off|late`, `
Who is on nights on Tuesday? => [3]
What shift does Tom have on Wednesday? => early: [1]
Who is off on Wednesday? => [0 3]
who works late on Friday => [0 3]
How many people are off on Wednesday? => 2: [0 3]
is Aneta working on Monday? => off: [2]
when is Priya off => Wednesday: [0]
Which days does Sam do nights? => Monday, Tuesday: [3]
Is anyone off on Thursday? => Yes: [3]
How many people are on the rota? => 4: [0 1 2 3]
Who is working on Saturday? => none`},
		{"", `Klasse|Mo|Di|Mi|Do|Fr
5a|Mathe|Deutsch|Sport|Englisch|Kunst
5b|Deutsch|Sport|Mathe|Kunst|Englisch
6a|Sport|Mathe|Englisch|Deutsch|Musik`, `
Wann hat die 5b Sport? => Dienstag: [1]
Was hat die 6a am Freitag? => Musik: [2]
Welche Klasse hat am Mittwoch Mathe? => [1]
Hat die 5a am Montag Sport? => Nein: [0]`},
		{"", `Week|Monday|Tuesday|Wednesday
1|Ann|Bob; Cid|Dee
2|Ann / Bob||Cid
3|Ann|Ann and Bob|Bob`, `
How many shifts does Bob have? => none
When does Ann work in week 3? => none`},
		{"Chores", `Chore|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
Dishes|Amy|Ben|Cleo|Amy|Ben|Cleo|Amy
Bins|||Ben||||
Cooking|Dad|Mum|Dad|Mum|Dad|Mum|Dad`, `
Who does the dishes on Saturday? => Cleo: [0]
whose turn is it to cook on Tuesday? => Mum: [2]
When are the bins done? => Wednesday: [1]
How often does Mum cook? => 3: [2]`},
		{"", `Room|Beds|Price per night|Sea view
Gull|2|£85|yes
Tern|1|£60|no
Heron|4|£130|yes`, `
how much is Heron for 3 nights? => £390: [2]
2 nights at Tern, what does that come to? => £120: [1]
what would 3 weeks in the Heron cost? => none
How much is the Gull for 2 people? => none`},
		{"", `Artikel|Preis|Lager
Lavendel|4,50 €|12
Salbei|3,90 €|0
Rose|12,00 €|5`, `
Was kosten 3 Lavendel? => 13,50 €: [0]
Was kosten drei Lavendel und 2 Rosen? => 37,50 €: [0 2]`},
		{"branches", `Branch|Town|Films|Games
North|Leeds|90|40
South|Leeds|80|
East|York|20|70`, `
How many more films than games were lent? => 80: [0 1 2]
What is the difference between films and games? => 80: [0 1 2]
How many more branches are in York than in Leeds? => -1: [2 0 1]
Films and games together in Leeds => 210: [0 1]`},
	})
}

// asked is a table with questions of it: a line each, with what is said and which rows it is of.
type asked struct{ name, rows, questions string }

func ask(t *testing.T, list []asked) {
	t.Helper()
	open := sqldrivers.Opener(nil, sqldrivers.Options{})
	for _, tc := range list {
		for line := range strings.SplitSeq(strings.TrimSpace(tc.questions), "\n") {
			question, want, _ := strings.Cut(line, " => ")
			a, err := reckon.New(open, nil, nil)(t.Context(), read(tc.name, tc.rows), question)
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			if a != nil {
				got = strings.TrimSpace(fmt.Sprint(a.Said(question, len(a.Rows)), " ", a.Rows))
			}
			if a != nil && a.Empty {
				got += " empty"
			}
			if got != want {
				t.Errorf("%q: %s, want %s", question, got, want)
			}
		}
	}
}
