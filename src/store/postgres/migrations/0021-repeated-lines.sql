-- Lines of a document that its host repeated when it was first analysed; null: indexed before this was recorded.
alter table documents add column repeated integer[];

-- The first link texts of a URL are kept; of existing ones the most frequent.
delete from anchors a using (
  select url_key, text, row_number() over (partition by url_key order by sum(count) desc, text) as place
  from anchors group by url_key, text) as k
  where a.url_key = k.url_key and a.text = k.text and k.place > 12;
alter table anchors drop column count;
