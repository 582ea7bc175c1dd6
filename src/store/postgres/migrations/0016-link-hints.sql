-- Older crawls left out links marked ugc or sponsored together with those marked nofollow, and go on doing so. As text:
-- not everything that JSON allows in a string can be a jsonb.
update crawls set settings = regexp_replace(settings, '\}\s*$',
    ',"skipUgcSponsored":' || case when settings ~ '"relNofollow":\s*true' then 'true' else 'false' end || '}')
  where position('"skipUgcSponsored":' in settings) = 0;
