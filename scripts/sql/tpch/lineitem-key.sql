alter table lineitem add primary key (l_orderkey, l_linenumber);
