-- Older crawls skipped links marked ugc or sponsored together with those marked nofollow, and continue to do so. As text:
-- jsonb does not accept everything that JSON allows in a string.
update crawls set settings = regexp_replace(settings, '\}\s*$',
    ',"skipUgcSponsored":' || case when settings ~ '"relNofollow":\s*true' then 'true' else 'false' end || '}')
  where position('"skipUgcSponsored":' in settings) = 0;
