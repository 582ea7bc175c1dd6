// The pages of the search: start, results, about, a cached copy, and messages. Everything from outside is escaped by the
// template; `raw` is only for highlights, which are escaped already.

import { html } from 'hono/html'
import type { SearchResults } from '../../search/service/run-search.ts'
import type { Assets } from './assets.ts'
import { FACETS, type PageRequest, pageHref, readPageRequest } from './page-request.ts'
import { dayText, facetsHtml, resultHtml } from './result-html.ts'

export interface PageFrame {
  title: string
  assets: Assets
}

type Html = ReturnType<typeof html> | string

interface Contents {
  request: PageRequest
  /** Title of the window, before the name of the search. */
  heading?: string
  isStart?: boolean
  main: Html
}

const EMPTY_REQUEST = readPageRequest(new URLSearchParams())

function page({ title, assets }: PageFrame, { request, heading, isStart = false, main }: Contents) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading === undefined ? title : `${heading} - ${title}`}</title>
<link rel="stylesheet" href="${assets.style.href}">
<link rel="search" type="application/opensearchdescription+xml" title="${title}" href="/search/opensearch.xml">
<script src="${assets.script.href}" defer></script>
</head>
<body class="${isStart ? 'start' : 'found'}">
<header>
<h1><a href="/search">${title}</a></h1>
${form(request, isStart)}
</header>
<main>${main}</main>
<footer><a href="/search/about">Add this search to your browser or site</a></footer>
</body>
</html>`
}

function form({ text, facets, sort }: PageRequest, isStart: boolean) {
  const hidden = FACETS.flatMap((name) =>
    facets[name] === undefined ? [] : html`<input type="hidden" name="${name}" value="${facets[name]}">`,
  )
  const order = sort === 'relevance' ? '' : html`<input type="hidden" name="sort" value="${sort}">`
  return html`<form class="search" action="/search" role="search">
<div class="field">
<input type="search" name="q" value="${text}" aria-label="Search for" autocomplete="off" autocapitalize="off"
  spellcheck="false" maxlength="1000" role="combobox" aria-expanded="false" aria-controls="suggestions"
  aria-autocomplete="list"${isStart ? ' autofocus' : ''}>
<ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden></ul>
</div>${hidden}${order}
<button>Search</button>
</form>`
}

export function startPage(frame: PageFrame) {
  return page(frame, { request: EMPTY_REQUEST, isStart: true, main: '' })
}

export function resultsPage(frame: PageFrame, request: PageRequest, found: SearchResults) {
  const { hits, total, isTotalExact, warning, didYouMean, tookMs, facets, hasMore } = found
  const pages = `${total.toLocaleString('en')} ${total === 1 ? 'page' : 'pages'}`
  const count =
    total === 0 ? '' : `${isTotalExact ? '' : 'More than '}${pages} in ${Math.max(1, Math.round(tookMs))} ms`
  const suggestion =
    didYouMean === null
      ? ''
      : html`<p class="note">Did you mean <a href="${pageHref(request, { text: didYouMean })}">${didYouMean}</a>?</p>`
  const main = html`${count === '' ? '' : html`<p class="count" role="status">${count} · ${orderLink(request)}</p>`}
${suggestion}
${warning === null ? '' : html`<p class="note">${warning}</p>`}
${facetsHtml(request, facets)}
${total === 0 ? nothingFound(request) : html`<ol class="results">${hits.map(resultHtml)}</ol>`}
${pager(request, hasMore)}`
  return page(frame, { request, heading: request.text, main })
}

function orderLink(request: PageRequest) {
  return request.sort === 'newest'
    ? html`newest first (<a href="${pageHref(request, { sort: 'relevance' })}">best first</a>)`
    : html`best first (<a href="${pageHref(request, { sort: 'newest' })}">newest first</a>)`
}

function nothingFound(request: PageRequest) {
  const isNarrow = Object.keys(request.facets).length > 0
  const wider = html` <a href="${pageHref(request, { facets: {} })}">Search everything</a>.`
  return html`<p role="status">No page contains "${request.text}".${isNarrow ? wider : ' Check the spelling, or try fewer words.'}</p>`
}

function pager(request: PageRequest, hasMore: boolean) {
  if (request.page === 1 && !hasMore) return ''
  const link = (to: number, rel: string, text: string) =>
    html`<a rel="${rel}" href="${pageHref(request, { page: to })}">${text}</a>`
  return html`<nav class="pages" aria-label="Pages">
<span>${request.page === 1 ? '' : link(request.page - 1, 'prev', 'Previous')}</span>
<span>Page ${request.page}</span>
<span>${hasMore ? link(request.page + 1, 'next', 'Next') : ''}</span>
</nav>`
}

export function messagePage(frame: PageFrame, title: string, text: string) {
  return page(frame, { request: EMPTY_REQUEST, heading: title, main: html`<h2>${title}</h2><p>${text}</p>` })
}

export function aboutPage(frame: PageFrame, baseUrl: string) {
  const embed = `<form action="${baseUrl}/search">
  <input type="search" name="q" aria-label="Search for">
  <button>Search</button>
</form>`
  const main = html`<h2>In your browser</h2>
<p>This site describes its search, so browsers can add it. Firefox: right-click the address bar and choose
"Add ${frame.title}". Chrome and Edge: search here once, then find it under Settings, Search engine, Site search.</p>
<h2>On your site</h2>
<p>Paste this form into a page:</p>
<pre tabindex="0"><code>${embed}</code></pre>
<h2>Operators</h2>
<p>"a phrase", apple OR pear, -word, title:word, site:example.com, before:2026-01</p>`
  return page(frame, { request: EMPTY_REQUEST, heading: 'About', main })
}

export interface CachedCopy {
  url: string
  visitedAt: number
  /** URL of the archived page alone. */
  src: string
}

/** The copy is in a frame without scripts; the line above it identifies it. */
export function cachedPage({ title, assets }: PageFrame, { url, visitedAt, src }: CachedCopy) {
  const name = `Copy of ${url}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name} - ${title}</title>
<link rel="stylesheet" href="${assets.style.href}">
</head>
<body>
<header class="copy"><span>Copy of <a href="${url}">${url}</a> from ${dayText(visitedAt)}</span>
<a href="/search">${title}</a></header>
<iframe src="${src}" sandbox title="${name}"></iframe>
</body>
</html>`
}
