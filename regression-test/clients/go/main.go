// SPDX-License-Identifier: Apache-2.0

// The checklist through go-sql-driver: checklist PORT, once per set of connection parameters.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

var failures int

func check(name string, err error) bool {
	if err != nil {
		failures++
		fmt.Println("FAIL", name, err)
	}
	return err == nil
}

func same(name string, actual, expected any) {
	if fmt.Sprint(actual) != fmt.Sprint(expected) {
		failures++
		fmt.Printf("FAIL %s: expected %v, got %v\n", name, expected, actual)
	}
}

func main() {
	for _, option := range []string{"", "?parseTime=true&interpolateParams=true", "?multiStatements=true", "?compress=true", "?charset=utf8mb4&collation=utf8mb4_general_ci"} {
		all(os.Args[1], option)
	}
	if failures > 0 {
		os.Exit(1)
	}
}

func all(port, option string) {
	db, err := sql.Open("mysql", "root:@tcp(127.0.0.1:"+port+")/"+option)
	if !check("open "+option, err) || !check("ping "+option, db.Ping()) {
		return
	}
	defer db.Close()
	for _, text := range []string{
		"CREATE DATABASE IF NOT EXISTS go_checklist",
		"DROP TABLE IF EXISTS go_checklist.t",
		"CREATE TABLE go_checklist.t (a INT, b BIGINT, c DOUBLE, d DECIMAL(20,4), e VARCHAR(100), f DATE, g DATETIME(6), h BOOLEAN, i LARGEINT) " +
			"DUPLICATE KEY(a) DISTRIBUTED BY HASH(a) BUCKETS 1 PROPERTIES('replication_num'='1')",
	} {
		_, err = db.Exec(text)
		check(text, err)
	}
	at := time.Date(2024, 2, 29, 13, 14, 15, 123456000, time.UTC)
	text := "héllo 'q' \\ 日本"
	huge := "170141183460469231731687303715884105727"
	done, err := db.Exec("INSERT INTO go_checklist.t VALUES (?,?,?,?,?,?,?,?,?)", 1, int64(1)<<62, 3.25, "12345.6789", text, at, at, true, huge)
	if check("insert "+option, err) {
		affected, _ := done.RowsAffected()
		same("affected "+option, affected, 1)
	}
	_, err = db.Exec("INSERT INTO go_checklist.t(a, e) VALUES (?,?),(?,?)", 2, nil, 3, "")
	check("insert two "+option, err)

	var b int64
	var c float64
	var d, e, i string
	var h bool
	row := db.QueryRow("SELECT b, c, d, e, h, i FROM go_checklist.t WHERE a = ?", 1)
	if check("select "+option, row.Scan(&b, &c, &d, &e, &h, &i)) {
		same("values "+option, []any{b, c, d, e, h, i}, []any{int64(1) << 62, 3.25, "12345.6789", text, true, huge})
	}
	if strings.Contains(option, "parseTime") {
		var g time.Time
		check("time "+option, db.QueryRow("SELECT g FROM go_checklist.t WHERE a = 1").Scan(&g))
		same("time value "+option, g.UTC(), at)
	}
	lookUps(db, option)
	prepared, err := db.Prepare("SELECT a + ?, e FROM go_checklist.t WHERE a = ?")
	if check("prepare "+option, err) {
		for n := 1; n <= 3; n++ {
			var sum int
			var note sql.NullString
			check("execute "+option, prepared.QueryRow(10, n).Scan(&sum, &note))
			same("sum "+option, sum, 10+n)
			same("null "+option, note.Valid, n != 2)
		}
		check("close "+option, prepared.Close())
	}
	_, err = db.Exec("SELECT nope FROM go_checklist.t")
	var failure *mysql.MySQLError
	if errors.As(err, &failure) {
		same("error "+option, fmt.Sprintf("%d %s", failure.Number, failure.SQLState[:]), "1054 42S22")
	} else {
		check("error "+option, fmt.Errorf("expected a MySQL error, got %v", err))
	}
	transaction, err := db.Begin()
	if check("begin "+option, err) {
		_, err = transaction.Exec("INSERT INTO go_checklist.t(a) VALUES (4)")
		check("insert in transaction "+option, err)
		check("commit "+option, transaction.Commit())
	}
	deadline, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err = db.QueryContext(deadline, "SELECT count(*) FROM numbers('number'='300000') a, numbers('number'='300000') b WHERE a.number * b.number = 7")
	if err == nil || time.Since(begin) > 10*time.Second {
		check("cancel "+option, fmt.Errorf("%v after %v", err, time.Since(begin)))
	}
	if strings.Contains(option, "multi") {
		results, err := db.Query("SELECT 1; SELECT 2, 3")
		if check("multi "+option, err) {
			sets := 1
			for results.NextResultSet() {
				sets++
			}
			same("result sets "+option, sets, 2)
		}
	}
	check("ping at the end "+option, db.Ping())
}

// Rows by key, again and again: prepared, as text, and some that are not there.
func lookUps(db *sql.DB, option string) {
	for _, statement := range []string{
		"DROP TABLE IF EXISTS go_checklist.kv",
		"CREATE TABLE go_checklist.kv (k BIGINT, v VARCHAR(50), n DECIMAL(10,2)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES('replication_num'='1', 'store_row_column'='true')",
		"INSERT INTO go_checklist.kv VALUES (1, 'one', 1.50), (2, NULL, NULL), (-3, '', 0)",
	} {
		_, err := db.Exec(statement)
		check("look-up table "+option, err)
	}
	one, err := db.Prepare("SELECT v, n FROM go_checklist.kv WHERE k = ?")
	if !check("prepare look-up "+option, err) {
		return
	}
	defer one.Close()
	expected := map[int]string{1: "one 1.50", 2: "NULL NULL", -3: " 0.00"}
	for round := 0; round < 5; round++ {
		for key := -3; key <= 4; key++ {
			text := fmt.Sprintf("SELECT v, n FROM go_checklist.kv WHERE k = %d", key)
			for _, row := range []*sql.Row{one.QueryRow(key), db.QueryRow("SELECT v, n FROM go_checklist.kv WHERE k = ?", key), db.QueryRow(text)} {
				v, n := sql.NullString{String: "NULL"}, sql.NullString{String: "NULL"}
				err := row.Scan(&v, &n)
				if expected[key] == "" {
					same("no row "+option, errors.Is(err, sql.ErrNoRows), true)
				} else if check("look-up "+option, err) {
					if !v.Valid {
						v.String, n.String = "NULL", "NULL"
					}
					same("look-up row "+option, v.String+" "+n.String, expected[key])
				}
			}
		}
	}
}
