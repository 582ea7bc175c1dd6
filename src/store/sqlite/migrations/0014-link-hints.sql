-- Older crawls skipped links marked ugc or sponsored together with those marked nofollow, and continue to do so.
update crawls set settings = json_set(settings, '$.skipUgcSponsored',
  json(iif(json_extract(settings, '$.relNofollow'), 'true', 'false')));
