// The parts of a list of results.

import { html, raw } from 'hono/html'
import type { FacetCount, IndexHit } from '../../ports/search.ts'
import { highlightHtml } from '../../search/service/highlight-html.ts'
import type { SearchResults } from '../../search/service/run-search.ts'
import { facetText } from '../contract/facet-text.ts'
import { FACETS, type FacetName, type PageRequest, withFacet } from './page-request.ts'

export function resultHtml(hit: IndexHit) {
  const hasTitle = hit.title !== ''
  const title = hasTitle ? raw(highlightHtml(hit.title, hit.titleHighlights)) : hit.url
  const similar = hit.similar === 0 ? '' : ` · ${hit.similar} similar ${hit.similar === 1 ? 'page' : 'pages'}`
  return html`<li>
  <h2${languageOf(hit)}><a href="${hit.url}">${title}</a></h2>
  ${hasTitle ? html`<p class="address">${shownAddress(hit.url)}</p>` : ''}
  <p${languageOf(hit)}>${raw(highlightHtml(hit.snippet.text, hit.snippet.highlights))}</p>
  <p class="details"><time datetime="${new Date(hit.visitedAt).toISOString()}">${dayText(hit.visitedAt)}</time> ·
    <a href="/search/cached?page=${hit.pageId}">Cached copy</a>${similar}</p>
</li>`
}

/** Sets the language, so that the text is read aloud and hyphenated correctly. */
function languageOf({ lang }: IndexHit) {
  return lang === null ? '' : html` lang="${lang}"`
}

/** The address as a path of steps, without the scheme. */
function shownAddress(url: string): string {
  const { host, pathname } = new URL(url)
  const steps = pathname.split('/').filter(Boolean).map(decodeStep)
  return [host, ...steps].join(' › ')
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

export function dayText(at: number): string {
  return new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
}

const FACET_LABELS: Record<FacetName, string> = { host: 'Site', lang: 'Language', type: 'Type', date: 'Changed' }
const MAX_CHIPS = 6

/** Each chip narrows the search; the selected one removes itself. A facet with a single value has nothing to choose. */
export function facetsHtml(request: PageRequest, facets: SearchResults['facets']) {
  const groups = FACETS.flatMap((name) => {
    const current = request.facets[name]
    const counts: FacetCount[] = facets?.[name] ?? []
    if (current === undefined && counts.length < 2) return []
    const chips =
      current === undefined
        ? counts.slice(0, MAX_CHIPS).map(({ key, count }) => chip(name, key, withFacet(request, name, key), count))
        : [currentChip(name, current, withFacet(request, name, null))]
    return [html`<div><dt>${FACET_LABELS[name]}</dt>${chips.map((one) => html`<dd>${one}</dd>`)}</div>`]
  })
  return groups.length === 0 ? '' : html`<dl class="facets">${groups}</dl>`
}

function chip(name: FacetName, key: string, href: string, count: number) {
  return html`<a class="chip" href="${href}">${facetText(name, key)} <small>${count.toLocaleString('en')}</small></a>`
}

function currentChip(name: FacetName, key: string, href: string) {
  const label = facetText(name, key)
  return html`<a class="chip" href="${href}" aria-current="true" aria-label="${`Remove ${label}`}">${label} ✕</a>`
}
