package main

import (
	"fmt"
	"strings"
)

// sample returns the statements that create the shop's tables, in SQL that all
// the databases accept. Rows are derived from their numbers.
func sample() []string {
	list := []string{
		"CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(60), city VARCHAR(40), country VARCHAR(40), active BOOLEAN, signed_up DATE)",
		"CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR(60), category VARCHAR(40), price DECIMAL(10,2), stock INTEGER, weight DECIMAL(8,3))",
		"CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), ordered_on DATE, status VARCHAR(20), total DECIMAL(12,2))",
		"CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (id), product_id INTEGER REFERENCES products (id), quantity INTEGER, unit_price DECIMAL(10,2))",
		"CREATE TABLE employees (id INTEGER PRIMARY KEY, name VARCHAR(60), department VARCHAR(40), salary INTEGER, hired DATE)",
	}
	first := []string{"Ada", "Bo", "Cara", "Dag", "Eva", "Finn", "Gro", "Hans", "Ida", "Jon"}
	last := []string{"Berg", "Dahl", "Lie", "Moe"}
	places := []string{"Oslo|Norway", "Bergen|Norway", "Lund|Sweden", "Malmo|Sweden", "Aarhus|Denmark", "Bergen|Germany"}
	add := func(table string, values ...any) {
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = fmt.Sprint(v)
			if s, ok := v.(string); ok {
				cells[i] = "'" + strings.ReplaceAll(s, "'", "''") + "'"
			}
		}
		list = append(list, "INSERT INTO "+table+" VALUES ("+strings.Join(cells, ", ")+")")
	}
	day := func(n int) string { return fmt.Sprintf("%d-%02d-%02d", 2023+n/336%3, 1+n/28%12, 1+n%28) }
	for i := range 40 {
		city, country, _ := strings.Cut(places[i*7%len(places)], "|")
		add("customers", i+1, first[i%10]+" "+last[i/10], city, country, truth(i%3 != 0), day(i*11))
	}
	categories := []string{"Books", "Garden", "Games", "Kitchen"}
	for i := range 30 {
		add("products", i+1, fmt.Sprintf("%s item %d", categories[i%4], i+1), categories[i%4], figure(15+i*37%900, i*13%100, 2), i*17%90,
			figure(i%7, i*111%1000, 3))
	}
	states := []string{"shipped", "paid", "cancelled", "shipped", "new"}
	for i := range 160 {
		add("orders", i+1, 1+i*i*3%37, day(i*6+i%5), states[i%5], figure(20+i*97%1900, i*7%100, 2))
		for k := range 1 + i%5 {
			add("order_items", i*5+k+1, i+1, 1+(i*5+k*7)%28, 1+(i+k)%6, figure(15+(i*5+k*7)%28*20, 50, 2))
		}
	}
	departments := []string{"Sales", "Research", "Support"}
	for i := range 24 {
		add("employees", i+1, first[i%10]+" "+last[i/10], departments[i%3], 31000+i*2357%41000, day(i*37))
	}
	return list
}

// literal is SQL that is not quoted.
type literal string

func truth(v bool) literal {
	if v {
		return "TRUE"
	}
	return "FALSE"
}

func figure(whole, fraction, digits int) literal {
	return literal(fmt.Sprintf("%d.%0*d", whole, digits, fraction))
}
