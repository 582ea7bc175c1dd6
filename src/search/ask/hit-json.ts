import type { ShownHit } from './ask.ts'
import { markedHtml } from './marked.ts'

/** A hit as programs read it, in answers of the API and of the command line. */
export function hitJson(hit: ShownHit) {
  return {
    url: hit.url,
    title: hit.title,
    snippet: hit.snippet.text,
    highlights: hit.snippet.highlights,
    title_html: markedHtml(hit.title, hit.titleHighlights),
    snippet_html: markedHtml(hit.snippet.text, hit.snippet.highlights),
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
