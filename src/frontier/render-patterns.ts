// When pages that were read without rendering are visited again, because their URL pattern turned out to gain by it.

import type { CrawlSettings } from '../ports/crawls.ts'
import { type PlainLook, parseRenderPattern, RENDER_SKIPPED, renderPatternOf } from '../ports/render-patterns.ts'
import { isRecrawled } from '../ports/revisits.ts'

/**
 * A recrawled crawl renders them when they are due. With a page limit, they would take the place of others. A closing
 * crawl visits nothing more.
 */
export function rendersAgain(settings: CrawlSettings, closing: string | null): boolean {
  return settings.render === 'auto' && closing === null && settings.maxPages === null && !isRecrawled(settings)
}

/** Whether a visited page with this reason was read without rendering, and has the pattern. */
export function matchesRenderPattern(
  pattern: string,
  { url, reason }: { url: string; reason: string | null },
): boolean {
  const { look } = parseRenderPattern(pattern)
  return lookOf(reason) === look && renderPatternOf(url, look) === pattern
}

/** A page that looked empty and was rendered has another reason, or none. It gained nothing, and is rendered again. */
function lookOf(reason: string | null): PlainLook {
  return reason === RENDER_SKIPPED ? 'empty' : 'complete'
}
