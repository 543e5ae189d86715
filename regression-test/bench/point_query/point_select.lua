-- SPDX-License-Identifier: Apache-2.0
-- Look-ups by key with server-side prepared statements: sysbench point_select.lua --rows=1000000 --mysql-db=serving run

sysbench.cmdline.options = {
   rows = {"Number of keys, 0..rows-1", 1000000},
   statement = {"A SELECT with one integer parameter", "SELECT * FROM part WHERE p_partkey = ?"},
}

function thread_init()
   driver = sysbench.sql.driver()
   connection = driver:connect()
   statement = connection:prepare(sysbench.opt.statement)
   key = statement:bind_create(sysbench.sql.type.INT)
   statement:bind_param(key)
end

function event()
   key:set(sysbench.rand.uniform(0, sysbench.opt.rows - 1))
   statement:execute()
end

function thread_done()
   statement:close()
   connection:disconnect()
end
