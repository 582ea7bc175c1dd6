// The OpenSearch description, with which browsers add a search: https://github.com/dewitt/opensearch

import { html, raw } from 'hono/html'

const MAX_SHORT_NAME = 16

export const OPEN_SEARCH_TYPE = 'application/opensearchdescription+xml; charset=utf-8'

export function openSearchDescription(title: string, baseUrl: string) {
  return html`${raw('<?xml version="1.0" encoding="UTF-8"?>')}
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${title.slice(0, MAX_SHORT_NAME)}</ShortName>
<Description>${title}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" method="get" template="${baseUrl}/search?q={searchTerms}"/>
<Url type="application/x-suggestions+json" method="get" template="${baseUrl}/search/suggest?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${baseUrl}/search/opensearch.xml"/>
</OpenSearchDescription>
`
}
