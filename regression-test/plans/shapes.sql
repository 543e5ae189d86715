-- SPDX-License-Identifier: Apache-2.0
-- Typical shapes. See README.md.
SELECT * FROM lineitem WHERE l_orderkey = 1;
SELECT l_returnflag, count(*), sum(l_quantity) FROM lineitem GROUP BY l_returnflag ORDER BY 1;
SELECT count(DISTINCT l_suppkey) FROM lineitem;
SELECT l_returnflag, count(DISTINCT l_suppkey), sum(l_quantity) FROM lineitem GROUP BY l_returnflag;
SELECT * FROM orders ORDER BY o_totalprice DESC LIMIT 10;
SELECT o_orderkey FROM orders LIMIT 5 OFFSET 2;
SELECT n_name, r_name FROM nation JOIN region ON n_regionkey = r_regionkey;
SELECT count(*) FROM lineitem JOIN orders ON l_orderkey = o_orderkey;
SELECT count(*) FROM orders LEFT JOIN customer ON o_custkey = c_custkey WHERE c_acctbal > 0;
SELECT count(*) FROM orders LEFT JOIN customer ON o_custkey = c_custkey AND c_acctbal > 0;
SELECT count(*) FROM orders WHERE o_custkey IN (SELECT c_custkey FROM customer WHERE c_acctbal < 0);
SELECT count(*) FROM orders WHERE o_custkey NOT IN (SELECT c_custkey FROM customer WHERE c_acctbal < 0);
SELECT count(*) FROM customer WHERE EXISTS (SELECT 1 FROM orders WHERE o_custkey = c_custkey);
SELECT count(*) FROM customer WHERE NOT EXISTS (SELECT 1 FROM orders WHERE o_custkey = c_custkey AND o_totalprice > c_acctbal);
SELECT c_name, (SELECT max(o_totalprice) FROM orders WHERE o_custkey = c_custkey) FROM customer;
SELECT n_name, (SELECT count(*) FROM region WHERE r_regionkey > n_regionkey) FROM nation;
SELECT n_name FROM nation WHERE n_regionkey > ALL (SELECT r_regionkey FROM region WHERE r_name < 'B');
SELECT n_nationkey FROM nation UNION SELECT r_regionkey FROM region;
SELECT n_nationkey FROM nation INTERSECT SELECT r_regionkey FROM region;
SELECT n_nationkey FROM nation EXCEPT ALL SELECT r_regionkey FROM region;
SELECT o_custkey, row_number() OVER (PARTITION BY o_custkey ORDER BY o_orderdate) FROM orders;
SELECT o_orderpriority, o_orderstatus, count(*) FROM orders GROUP BY ROLLUP(o_orderpriority, o_orderstatus);
WITH big AS (SELECT * FROM orders WHERE o_totalprice > 400000) SELECT count(*) FROM big a JOIN big b ON a.o_custkey = b.o_custkey;
SELECT count(*) FROM nation, region WHERE n_regionkey < r_regionkey;
SELECT * FROM nation WHERE 1 = 0;
SELECT 1 + 1;
