// The code of the render thread: serves the clients whose ports it is given.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { SubresourceRequest, SubresourceResponse } from '../../ports/renderer.ts'
import { startBrowser } from '../browser/browser-process.ts'
import type { Containment } from '../browser/containment.ts'
import type { BrowserLocation } from '../find-browser.ts'
import { BrowserPool } from './browser-pool.ts'
import { HostPacer } from './host-pacer.ts'
import { INTERRUPTED_RESPONSE, type PoolSettings, type ToClient, type ToPool, type ToThread } from './messages.ts'
import { SubresourceCache } from './subresource-cache.ts'

export interface RenderThreadData {
  location: BrowserLocation
  settings: PoolSettings
  containment: Containment
}

const { location, settings, containment } = workerData as RenderThreadData
const pool = new BrowserPool(settings, (signal) => startBrowser(location, containment, signal), systemClock)

const cache = new SubresourceCache(settings.cacheBytes, systemClock)
const pacer = new HostPacer(systemClock)

parentPort?.on('message', async (message: ToThread) => {
  if (message.kind === 'connect') return serve(message.port, message.crawl, message.first)
  await pool.close()
  parentPort?.postMessage('closed')
})

function serve(port: MessagePort, crawl: string, first: ToPool): void {
  const client = pool.addClient(crawl)
  const fetching = new Map<number, (response: SubresourceResponse) => void>()
  let lastFetchId = 0
  let isClosed = false
  const post = (message: ToClient) => port.postMessage(message)
  const fetchNow = (id: number, request: SubresourceRequest) => {
    if (isClosed) return Promise.resolve(INTERRUPTED_RESPONSE)
    lastFetchId += 1
    const { promise, resolve } = Promise.withResolvers<SubresourceResponse>()
    fetching.set(lastFetchId, resolve)
    post({ kind: 'fetch', id, fetchId: lastFetchId, request })
    return promise
  }
  const fetchPaced = (id: number, request: SubresourceRequest) => {
    const { host } = new URL(request.url)
    const isOwnHost = host === new URL(request.pageUrl).host
    return isOwnHost ? fetchNow(id, request) : pacer.run(host, () => fetchNow(id, request))
  }
  const sourceOf = (id: number) => ({
    fetch: (request: SubresourceRequest) => cache.fetch(crawl, request, (wanted) => fetchPaced(id, wanted)),
  })
  const receive = (message: ToPool) => {
    if (message.kind === 'answer') {
      fetching.get(message.fetchId)?.(message.response)
      fetching.delete(message.fetchId)
      return
    }
    if (message.kind === 'forget') {
      pool.forgetPages(crawl)
      return cache.forget(crawl)
    }
    const { id, request } = message
    pool.render(client, request, sourceOf(id)).then(
      (page) => post({ kind: 'rendered', id, page }),
      (error: unknown) => post({ kind: 'failed', id, ...describe(error) }),
    )
  }
  receive(first)
  port.on('message', receive)
  port.on('close', () => {
    isClosed = true
    for (const resolve of fetching.values()) resolve(INTERRUPTED_RESPONSE)
    fetching.clear()
    pool.dropClient(client)
  })
}

function describe(error: unknown): Pick<ToClient & { kind: 'failed' }, 'code' | 'message'> {
  const { code, message } = asAppError(error)
  return { code, message }
}
