// URL patterns whose pages gain links or text when they are rendered, learned by `--render auto` from samples. The store
// only ever adds patterns, in the commit of the page that gained. Pages of the pattern that were read without rendering
// before are requeued, a batch per lease request, and later ones as they are reported. The crawl does not complete before
// all are checked. So every page of such a pattern is rendered in the end, no matter when the pattern was found. In a
// recrawled crawl, pages are rendered when they are due.

import { pathStart, toPathPattern } from '../lib/path-pattern.ts'

/** Complete pages and pages that look empty are learned separately, since they rarely have the same template. */
export type Completeness = 'complete' | 'empty'

/** What a visit shows about rendering. */
export type RenderReport =
  /** The page was read without rendering, and must be rendered if its pattern gains. */
  | { kind: 'plain'; completeness: Completeness }
  /** The page gained, and the thread did not know that its pattern does. */
  | { kind: 'gained'; pattern: string }

/** The reason of a page that looks empty and was not rendered, because others of its pattern gained nothing. */
export const RENDER_SKIPPED = 'render_skipped'

/** Further ones are not learned. */
export const MAX_RENDER_PATTERNS = 1000

/** `url` must be canonical. */
export function renderPatternOf(url: string, completeness: Completeness): string {
  return `${completeness} ${url.slice(0, pathStart(url))}${toPathPattern(url)}`
}

/** The pattern that a page read without rendering belongs to; null if it need not be rendered. */
export function plainPatternOf(report: RenderReport | undefined, url: string): string | null {
  return report?.kind === 'plain' ? renderPatternOf(url, report.completeness) : null
}
