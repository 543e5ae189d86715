// SPDX-License-Identifier: Apache-2.0
// The checklist through Node's drivers: node checklist.js PORT
'use strict';
const assert = require('assert');

const port = Number(process.argv[2]);
const server = { host: '127.0.0.1', port, user: 'root' };
let failures = 0;

async function step(name, run) {
  try {
    await run();
  } catch (failure) {
    failures++;
    console.log('FAIL', name, failure.message);
  }
}

// What the look-ups of kv find, by key.
const keyValues = [{ k: '1', v: 'one', n: '1.50' }, { k: '2', v: null, n: null }, { k: '-3', v: '', n: '0.00' }];

async function mysql2() {
  const driver = require('mysql2/promise');
  const c = await driver.createConnection({ ...server, multipleStatements: true, supportBigNumbers: true, bigNumberStrings: true });
  await c.query('CREATE DATABASE IF NOT EXISTS node_checklist');
  await c.query('USE node_checklist');
  await c.query('DROP TABLE IF EXISTS t');
  await c.query("CREATE TABLE t (a INT, b BIGINT, d DECIMAL(20,4), e VARCHAR(100), g DATETIME(3), n JSON) DISTRIBUTED BY HASH(a) BUCKETS 2 PROPERTIES('replication_num'='1')");
  const at = new Date(2024, 1, 2, 3, 4, 5, 678);
  await step('mysql2 bulk insert', () => c.query('INSERT INTO t VALUES ?',
    [[[1, '4611686018427387904', '1.5', "x'y", at, '{"q":[1,2]}'], [2, null, null, null, null, null]]]));
  const expected = [
    { a: 1, b: '4611686018427387904', d: '1.5000', e: "x'y", g: at, n: { q: [1, 2] } },
    { a: 2, b: null, d: null, e: null, g: null, n: null }];
  await step('mysql2 text', async () => assert.deepStrictEqual([...(await c.query('SELECT * FROM t ORDER BY a'))[0]].map(r => ({ ...r })), expected));
  await step('mysql2 prepared', async () => {
    for (let round = 0; round < 3; round++) {
      const [rows] = await c.execute('SELECT * FROM t WHERE a = ? OR e = ? ORDER BY a', [2, "x'y"]);
      assert.deepStrictEqual(rows.map(r => ({ ...r })), expected);
    }
  });
  await step('mysql2 look-ups', async () => {
    await c.query('DROP TABLE IF EXISTS kv');
    await c.query("CREATE TABLE kv (k BIGINT, v VARCHAR(50), n DECIMAL(10,2)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES('replication_num'='1', 'store_row_column'='true')");
    await c.query("INSERT INTO kv VALUES (1, 'one', 1.50), (2, NULL, NULL), (-3, '', 0)");
    for (let round = 0; round < 5; round++) {
      for (let key = -3; key <= 4; key++) {
        const found = keyValues.filter(row => row.k === String(key));
        for (const [rows] of [await c.execute('SELECT * FROM kv WHERE k = ?', [key]), await c.query('SELECT * FROM kv WHERE k = ?', [key])]) {
          assert.deepStrictEqual(rows.map(r => ({ ...r })), found);
        }
      }
    }
  });
  await step('mysql2 parameters', async () => {
    const [rows] = await c.execute('SELECT ? + 1 AS x, ? AS y, ? AS z', [41, 's', null]);
    assert.deepStrictEqual([Number(rows[0].x), rows[0].y, rows[0].z], [42, 's', null]);
  });
  await step('mysql2 several statements', async () => assert.strictEqual((await c.query('SELECT 1 a; SELECT 2 b; SHOW DATABASES'))[0].length, 3));
  await step('mysql2 error', () => assert.rejects(c.query('SELECT nope FROM t'), { code: 'ER_BAD_FIELD_ERROR', errno: 1054, sqlState: '42S22' }));
  await step('mysql2 syntax error', () => assert.rejects(c.query('SELEC 1'), { code: 'ER_PARSE_ERROR', errno: 1064 }));
  await step('mysql2 change user', () => c.changeUser({ user: 'root', database: 'node_checklist' }));
  await step('mysql2 transaction', async () => {
    await c.beginTransaction();
    await c.query('INSERT INTO t(a) VALUES (3)');
    await c.commit();
  });
  await c.end();
  await step('mysql2 pool', async () => {
    const pool = driver.createPool({ ...server, database: 'node_checklist', connectionLimit: 20 });
    const results = await Promise.all([...Array(100).keys()].map(i => pool.query(`SELECT ${i} AS v`)));
    results.forEach((r, i) => assert.strictEqual(Number(r[0][0].v), i));
    await pool.end();
  });
}

async function mysql() {
  const c = require('mysql').createConnection({ ...server, database: 'node_checklist' });
  await step('mysql query', () => new Promise((resolve, reject) => c.query('SELECT a FROM t WHERE a < 3 ORDER BY a', (error, rows) => {
    if (error) return reject(error);
    assert.deepStrictEqual(rows.map(r => r.a), [1, 2]);
    resolve();
  })));
  c.end();
}

async function mariadb() {
  const c = await require('mariadb').createConnection({ ...server, database: 'node_checklist' });
  await step('mariadb text', async () => assert.strictEqual((await c.query('SELECT * FROM t WHERE a = ?', [1]))[0].d, '1.5000'));
  await step('mariadb prepared', async () => assert.strictEqual((await c.execute('SELECT * FROM t WHERE a = ?', [1]))[0].b, 4611686018427387904n));
  await step('mariadb look-ups', async () => {
    for (let key = -3; key <= 4; key++) {
      const found = keyValues.filter(row => row.k === String(key));
      for (const rows of [await c.execute('SELECT * FROM kv WHERE k = ?', [key]), await c.query('SELECT * FROM kv WHERE k = ?', [key])]) {
        assert.deepStrictEqual(rows.map(r => ({ k: String(r.k), v: r.v, n: r.n })), found);
      }
    }
  });
  await step('mariadb batch', () => c.batch('INSERT INTO t(a, e) VALUES (?, ?)', [[10, 'x'], [11, 'y']]));
  await c.end();
}

(async () => {
  for (const [name, run] of Object.entries({ mysql2, mysql, mariadb })) {
    await step(name, run);
  }
  process.exit(failures === 0 ? 0 : 1);
})();
