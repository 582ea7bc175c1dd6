// A site in memory for tests of the renderer: pages by path, and a source that answers from them and records requests.

import type { RenderRequest, RenderSettings, SubresourceRequest, SubresourceSource } from '../../ports/renderer.ts'
import { DEFAULT_RENDER_LIMITS, type RenderLimits } from '../../ports/renderer.ts'

export const SITE = 'https://site.test'

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  json: 'application/json',
  css: 'text/css',
  wasm: 'application/wasm',
  gif: 'image/gif',
  xml: 'text/xml',
  xsl: 'text/xsl',
}

export interface TestSite extends SubresourceSource {
  requested: SubresourceRequest[]
}

/** Files by path or by URL. A value may have its own headers. */
export type TestFiles = Record<string, string | { body: string; headers?: [string, string][]; status?: number }>

export function testSite(files: TestFiles): TestSite {
  const requested: SubresourceRequest[] = []
  return {
    requested,
    async fetch(subresourceRequest) {
      requested.push(subresourceRequest)
      const { pathname } = new URL(subresourceRequest.url)
      const file = files[subresourceRequest.url] ?? files[pathname]
      const { body, headers = [], status = 200 } = typeof file === 'object' ? file : { body: file ?? '' }
      const type = TYPES[pathname.split('.').at(-1) ?? ''] ?? 'text/html; charset=utf-8'
      return {
        status: file === undefined ? 404 : status,
        headers: [['content-type', type], ...headers],
        body: Buffer.from(body),
        isFromCache: false,
        blockedReason: null,
        gapMs: 0,
      }
    },
  }
}

export type TestSettings = Partial<Omit<RenderSettings, 'limits'>> & { limits?: Partial<RenderLimits> }

export function pageRequest(html: string, { limits, ...settings }: TestSettings = {}): RenderRequest {
  return {
    url: `${SITE}/page`,
    response: { status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: Buffer.from(html) },
    settings: {
      waitFor: null,
      scroll: false,
      screenshot: false,
      keepImages: false,
      userAgent: null,
      ...settings,
      limits: { ...DEFAULT_RENDER_LIMITS, ...limits },
    },
  }
}
