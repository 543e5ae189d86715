with customer_total_return as (
  select sr_customer_sk as ctr_customer_sk, sr_store_sk as ctr_store_sk, sum(sr_return_amt) as ctr_total_return
  from store_returns, date_dim
  where sr_returned_date_sk = d_date_sk and d_year = 2000
  group by sr_customer_sk, sr_store_sk)
select c_customer_id
from customer_total_return ctr1, store, customer
where ctr1.ctr_total_return > (select avg(ctr_total_return) * 1.2 from customer_total_return ctr2
                               where ctr1.ctr_store_sk = ctr2.ctr_store_sk)
  and s_store_sk = ctr1.ctr_store_sk and s_state = 'TN' and ctr1.ctr_customer_sk = c_customer_sk
order by c_customer_id
limit 100;

select i_item_id, avg(ss_quantity) agg1, avg(ss_list_price) agg2, grouping(s_state) g_state
from store_sales, customer_demographics, date_dim, store, item
where ss_sold_date_sk = d_date_sk and ss_item_sk = i_item_sk and cd_gender = 'M' and s_state in ('TN', 'AL', 'SD')
group by rollup (i_item_id, s_state)
order by i_item_id, s_state limit 100;

select * from (
  select avg(ss_list_price) b1_lp, count(ss_list_price) b1_cnt, count(distinct ss_list_price) b1_cntd
  from store_sales
  where ss_quantity between 0 and 5 and (ss_list_price between 8 and 8 + 10 or ss_coupon_amt between 459 and 459 + 1000)) b1,
  (select avg(ss_list_price) b2_lp from store_sales where ss_quantity between 6 and 10) b2
limit 100;

with ssales as (select c_last_name, s_store_name, sum(ss_net_paid) netpaid from store_sales, store group by 1, 2),
     v1 as (select i_category, d_year, d_moy, sum(ss_sales_price) sum_sales,
              avg(sum(ss_sales_price)) over (partition by i_category, d_year) avg_monthly_sales,
              rank() over (partition by i_category order by d_year, d_moy) rn
            from item join store_sales on ss_item_sk = i_item_sk left outer join date_dim on ss_sold_date_sk = d_date_sk
            where (d_year = 1999 or (d_year = 1999 - 1 and d_moy = 12)) group by i_category, d_year, d_moy)
select *, case when avg_monthly_sales > 0 then abs(sum_sales - avg_monthly_sales) / avg_monthly_sales else null end r
from v1 where rn <= 10 and exists (select * from ssales where netpaid > 0.05 * sum_sales)
union all
(select c_last_name, null, null, netpaid, null, null, null from ssales intersect select 'a', 1, 2, 3, 4, 5, 6)
order by sum_sales - avg_monthly_sales, 3
limit 10 offset 2;

select channel, col_name, d_year, d_qoy, i_category, count(*) sales_cnt, sum(ext_sales_price) sales_amt
from (select 'store' as channel, 'ss_store_sk' col_name, d_year, d_qoy, i_category, ss_ext_sales_price ext_sales_price
      from store_sales, item, date_dim where ss_store_sk is null
      union all
      select 'web' as channel, 'ws_ship' col_name, d_year, d_qoy, i_category, ws_ext_sales_price
      from web_sales, item, date_dim where ws_ship_customer_sk is not null) foo
group by channel, col_name, d_year, d_qoy, i_category
having count(*) > 1 and max(ext_sales_price) < cast('100.5' as decimal(15, 2))
order by channel, col_name nulls last;

select date_trunc('hour', event_time) h, count(distinct user_id) uv, bitmap_union_count(to_bitmap(user_id)),
  sum(if(url like '%buy%', 1, 0)) / count(*) rate, percentile_approx(latency, 0.99), json_extract(payload, '$.a.b[0]')
from hits
where event_time >= date_sub(now(), interval 7 day) and url not regexp '^/health' and tags[1] = 'x' and attrs['k'] is not null
group by h
order by h desc;
