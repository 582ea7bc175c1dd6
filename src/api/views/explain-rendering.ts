// Explains whether a URL is rendered, and how that ended.

import { UrlPatterns } from '../../engine/url/url-patterns.ts'
import { RENDER_OUTCOMES } from '../../ports/renderer.ts'
import type { ExplainRequest, ExplanationStep } from './explain-url.ts'

/** Empty for a crawl that does not render. */
export function explainRendering({ url, row, progress: { crawl } }: ExplainRequest): ExplanationStep[] {
  const { render, renderInclude } = crawl.settings
  if (render === 'off') return []
  const step = (detail: string): ExplanationStep[] => [{ step: 'render', outcome: 'passed', detail }]
  const include = UrlPatterns.compile(renderInclude, 'render_include')
  if (!include.isEmpty && !include.matches(url)) {
    return step(`It is not rendered: it matches none of the patterns ${renderInclude.join(', ')}.`)
  }
  const outcome = RENDER_OUTCOMES.find((known) => known === row?.reason)
  if (outcome !== undefined) {
    return step(
      `Rendering ended early: ${outcome.replaceAll('_', ' ')}. The page is used as it was by then, or as received.`,
    )
  }
  return step(render === 'all' ? 'It is rendered in a browser.' : 'It is rendered in a browser if it needs JavaScript.')
}
