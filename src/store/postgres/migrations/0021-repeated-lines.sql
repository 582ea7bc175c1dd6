-- Which lines of a document its host repeated when it was analysed first; null: it was indexed before this was noted.
alter table documents add column repeated integer[];

-- Of a url the first texts of links that pages say stay. Of those that are there already, the commonest.
delete from anchors a using (
  select url_key, text, row_number() over (partition by url_key order by sum(count) desc, text) as place
  from anchors group by url_key, text) as k
  where a.url_key = k.url_key and a.text = k.text and k.place > 12;
alter table anchors drop column count;
