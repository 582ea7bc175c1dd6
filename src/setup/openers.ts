// Opens what commands and the library need. Modules are imported when they are used.

import type { Openers } from '../cli/io.ts'
import { loadFilterLists } from './on-demand.ts'

export const openers: Openers = {
  async openReadSession(config) {
    const { openReadSession } = await import('./read-session.ts')
    return openReadSession(config)
  },
  async openControlSession(config, create) {
    const { openControlSession } = await import('./control-session.ts')
    return openControlSession(config, create)
  },
  async openSearchIndex(config, pages) {
    const { openSearchIndex } = await import('./search-index.ts')
    return openSearchIndex(config, pages)
  },
  async openIndexSession(config) {
    const { openIndexSession } = await import('./index-session.ts')
    return openIndexSession(config)
  },
  async openFetcher(config, startUrls) {
    const { buildFetcher } = await import('../worker/threads/build-fetcher.ts')
    const { header: headers, proxy: proxies, timeout: timeoutMs, maxBody: maxBodyBytes } = config
    return buildFetcher({ ...config, headers, proxies, timeoutMs, maxBodyBytes }, startUrls)
  },
  async openRenderer(config) {
    const { openRenderer } = await import('./renderer.ts')
    return openRenderer(config)
  },
  loadFilterLists,
}
