package statement

import "lectern/shared/database"

// A query may only call listed functions. A deny list would never be complete:
// extensions add functions that execute SQL text, read files, or connect to
// other servers. No listed function takes a relation, a schema, a setting or
// SQL, waits, or changes anything, and none may be called with a schema's name.

// everywhere are functions with the same meaning in every dialect that has them.
var everywhere = words(`
	count sum avg min max total stddev stddev_pop stddev_samp std variance var_pop var_samp stdev stdevp var varp median mode any_value
	approx_count_distinct count_big array_agg string_agg group_concat listagg bool_and bool_or every bit_and bit_or bit_xor corr covar_pop
	covar_samp regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_sxy regr_syy percentile_cont percentile_disc
	row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value grouping grouping_id
	abs ceil ceiling floor round trunc truncate sign sqrt cbrt square power pow exp ln log log10 log2 mod div pi degrees radians sin cos tan
	asin acos atan atan2 cot sinh cosh tanh greatest least random rand gcd lcm width_bucket bit_count conv bin oct format_number
	lower upper lcase ucase initcap length char_length character_length octet_length bit_length len datalength concat concat_ws left right
	substr substring mid trim ltrim rtrim btrim lpad rpad replace reverse repeat replicate space position locate instr charindex patindex
	strpos split_part substring_index translate overlay stuff ascii ord char chr unichr unicode nchar hex unhex md5 sha1 sha2 sha224 sha256
	sha384 sha512 crc32 quote quote_literal quotename regexp_replace regexp_match regexp_matches regexp_like regexp_substr regexp_count
	regexp_instr regexp_split_to_array regexp_split_to_table string_to_array string_to_table array_to_string string_split format printf elt
	field find_in_set to_char to_number to_date to_timestamp starts_with ends_with glob like soundex difference levenshtein similarity
	word_similarity strict_word_similarity unaccent normalize encode decode to_base64 from_base64 to_hex strcmp
	now date time datetime julianday unixepoch strftime timediff date_trunc datetrunc date_bin date_part extract age make_date make_time
	make_timestamp make_timestamptz make_interval justify_days justify_hours justify_interval isfinite clock_timestamp statement_timestamp
	transaction_timestamp timeofday curdate curtime current_date current_time current_timestamp localtime localtimestamp sysdate utc_date
	utc_time utc_timestamp year month day dayofmonth dayofweek dayofyear weekday week weekofyear yearweek quarter hour minute second
	microsecond dayname monthname last_day date_add date_sub adddate subdate addtime subtime datediff datediff_big dateadd datename datepart
	datefromparts datetimefromparts datetime2fromparts timefromparts eomonth timestampdiff timestampadd timestamp from_unixtime
	unix_timestamp from_days to_days to_seconds sec_to_time time_to_sec str_to_date date_format time_format makedate maketime period_add
	period_diff convert_tz getdate getutcdate sysdatetime sysutcdatetime sysdatetimeoffset isdate switchoffset todatetimeoffset
	coalesce ifnull nullif isnull isnumeric nvl iif if choose cast convert try_cast try_convert parse try_parse typeof pg_typeof
	json_extract json_value json_query json_length json_depth json_array json_object json_valid json_type json_each json_tree
	json_array_length json_quote json_group_array json_group_object json_array_elements json_array_elements_text jsonb_array_elements
	jsonb_array_elements_text jsonb_array_length json_each_text jsonb_each jsonb_each_text json_object_keys jsonb_object_keys
	json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text json_build_object json_build_array
	jsonb_build_object jsonb_build_array to_json to_jsonb row_to_json json_agg jsonb_agg json_object_agg jsonb_object_agg json_arrayagg
	json_objectagg json_typeof jsonb_typeof jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_path_exists
	jsonb_strip_nulls json_unquote json_contains json_contains_path json_keys json_search json_table json_exists openjson isjson
	json_overlaps json_pretty jsonb_pretty json_error_position
	array_length cardinality unnest array_position array_positions array_append array_prepend array_cat array_remove array_replace
	array_dims array_ndims array_upper array_lower generate_series generate_subscripts num_nulls num_nonnulls
	isempty lower_inc upper_inc lower_inf upper_inf range_merge daterange tsrange tstzrange numrange int4range int8range
	to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline numnode querytree strip
	setweight match bm25 highlight snippet likely unlikely likelihood
	inet_aton inet_ntoa inet6_aton inet6_ntoa host family masklen network broadcast netmask text
	pg_size_pretty version database schema db_name current_database current_schema sqlite_version uuid newid gen_random_uuid
	zeroblob randomblob
	st_area st_astext st_buffer st_centroid st_contains st_distance st_dwithin st_intersects st_length st_makepoint st_point st_setsrid
	st_within st_x st_y geometry geography`)

// beforeParenthesis are keywords and types after which a parenthesis is not a call.
var beforeParenthesis = words(`
	all and any apply array as asc between bernoulli binary bit bigint blob boolean by bytea case char character clob collate cross cube
	date datetime datetime2 datetimeoffset dec decimal desc distinct div double else end escape except exists explain extract fetch filter
	first float following for force from full group grouping having ilike in ignore index inner int integer intersect interval is join key
	last lateral left like limit materialized minus mod mod mediumint natural nchar next no not nowait null nulls number numeric nvarchar of
	offset on only or order outer over partition percent pivot preceding precision range real recursive regexp repeatable returning right
	rlike rollup row rows select sets show signed similar smallint some sounds symmetric system tablesample text then ties time timestamp
	timestamptz to top unbounded union unique unpivot unsigned use using values varbinary varchar varying when where window with within
	without xor zone against`)

// callable reports whether the name before the parenthesis at i+1 is allowed: a
// listed function, a keyword or type, or the name of a query or an alias with
// its columns.
func callable(d database.Dialect, tokens []token, i int) bool {
	t := tokens[i]
	before := token{}
	if i > 0 {
		before = tokens[i-1]
	}
	if before == (token{mark, "."}) {
		return i > 1 && tokens[i-2].text == "pg_catalog" && d == database.Postgres && everywhere[t.text]
	}
	if t.kind == word && beforeParenthesis[t.text] || everywhere[t.text] {
		return true
	}
	switch {
	case before == (token{word, "as"}), before == (token{mark, ")"}):
		return true // an alias with its columns, not a call
	case before == (token{word, "with"}), before == (token{word, "recursive"}), before == (token{mark, ","}), before.kind == word &&
		before.text == "window":
		return namesQuery(tokens, i+1)
	case before.kind == word && !beforeParenthesis[before.text] && !startsCall[before.text], before.kind == quoted:
		return namesOnly(tokens, i+1) // FROM t a (x, y): a name after a name is an alias
	}
	return false
}

// startsCall are words before an expression or a table, after which a name is
// not an alias.
var startsCall = words("select from where having on and or not in when then else case by limit offset join distinct all returning between " +
	"like ilike is values using set end any some exists union except intersect lateral apply top fetch next first glob match regexp rlike sounds " +
	"member prior xor div mod binary collate escape isnull notnull operator overlaps contains natural only rows to zone symmetric unique")

// namesOnly reports whether the parenthesis at open contains only names and commas.
func namesOnly(tokens []token, open int) bool {
	for i := open + 1; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t == (token{mark, ")"}):
			return i > open+1
		case t.kind != word && t.kind != quoted && t != (token{mark, ","}):
			return false
		}
	}
	return false
}

// namesQuery reports whether the parenthesis at open has the columns of a WITH
// query: AS ( SELECT follows.
func namesQuery(tokens []token, open int) bool {
	depth := 0
	for i := open; i < len(tokens); i++ {
		if tokens[i].kind != mark {
			continue
		}
		switch tokens[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth > 0 {
				continue
			}
			i++
			if i >= len(tokens) || tokens[i] != (token{word, "as"}) {
				return false
			}
			for i++; i < len(tokens) && tokens[i].kind == word && (tokens[i].text == "not" || tokens[i].text == "materialized"); i++ {
			}
			return i+1 < len(tokens) && tokens[i] == (token{mark, "("}) && tokens[i+1].kind == word && queries[tokens[i+1].text]
		}
	}
	return false
}
