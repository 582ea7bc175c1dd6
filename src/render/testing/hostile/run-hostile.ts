// Renders hostile pages and reports those with an unexpected end.

import { DEFAULT_RENDER_LIMITS } from '../../../ports/renderer.ts'
import type { RenderClient } from '../../pool/render-client.ts'
import { pageRequest, testSite } from '../render-site.ts'
import type { HostilePage } from './hostile-page.ts'

/** Small, so that a page reaches its limit soon. */
const HOSTILE_LIMITS = {
  ...DEFAULT_RENDER_LIMITS,
  timeMs: 4000,
  cpuMs: 1500,
  memoryMb: 200,
  totalTimeMs: 60_000,
}

/** Returns one line per page that ended otherwise. */
export async function runHostile(client: RenderClient, pages: HostilePage[]): Promise<string[]> {
  const problems = await Promise.all(pages.map((page) => runOne(client, page)))
  return problems.filter((problem) => problem !== null)
}

async function runOne(client: RenderClient, page: HostilePage): Promise<string | null> {
  const { limits, ...settings } = page.settings ?? {}
  const request = pageRequest(page.html, {
    ...settings,
    limits: { ...HOSTILE_LIMITS, htmlChars: 10_000_000, ...limits },
  })
  request.response.headers.push(...(page.headers ?? []))
  const { outcome, evidence, html } = await client.render(request, testSite(page.files ?? {}))
  if (!page.outcomes.includes(outcome)) return `${page.name}: ${outcome} (${evidence})`
  if (outcome !== 'rendered') return null
  if (html === null) return `${page.name}: no HTML`
  return html.includes(page.contains ?? '') ? null : `${page.name}: without ${page.contains}: ${html.slice(0, 300)}`
}
