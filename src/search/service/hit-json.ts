import type { IndexHit } from '../../ports/search.ts'
import { highlightHtml } from './highlight-html.ts'

/** A search hit as JSON, for the API and the CLI. */
export function toHitJson(hit: IndexHit) {
  return {
    url: hit.url,
    title: hit.title,
    snippet: hit.snippet.text,
    highlights: hit.snippet.highlights,
    title_html: highlightHtml(hit.title, hit.titleHighlights),
    snippet_html: highlightHtml(hit.snippet.text, hit.snippet.highlights),
    host: hit.host,
    lang: hit.lang,
    score: hit.score,
    version: hit.version,
    page_id: hit.pageId,
    crawl_id: hit.crawlId,
    visited_at: new Date(hit.visitedAt).toISOString(),
    similar: hit.similar,
  }
}
