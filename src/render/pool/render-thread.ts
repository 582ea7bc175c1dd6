// The code of the render thread: serves the clients whose ports it is given.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../lib/clock.ts'
import { asAppError } from '../../lib/errors.ts'
import type { SubresourceRequest, SubresourceResponse } from '../../ports/renderer.ts'
import { startBrowser } from '../browser/browser-process.ts'
import type { Containment } from '../browser/containment.ts'
import type { BrowserLocation } from '../find-browser.ts'
import { BrowserPool } from './browser-pool.ts'
import type { PoolSettings, ToClient, ToPool, ToThread } from './messages.ts'

export interface RenderThreadData {
  location: BrowserLocation
  settings: PoolSettings
  containment: Containment
}

const { location, settings, containment } = workerData as RenderThreadData
const pool = new BrowserPool(settings, () => startBrowser(location, containment), systemClock)

parentPort?.on('message', async (message: ToThread) => {
  if (message.kind === 'connect') return serve(message.port)
  await pool.close()
  parentPort?.postMessage('closed')
})

function serve(port: MessagePort): void {
  const client = pool.addClient()
  const fetching = new Map<number, (response: SubresourceResponse) => void>()
  let lastFetchId = 0
  const post = (message: ToClient) => port.postMessage(message)
  const fetch = (id: number, request: SubresourceRequest) => {
    lastFetchId += 1
    const { promise, resolve } = Promise.withResolvers<SubresourceResponse>()
    fetching.set(lastFetchId, resolve)
    post({ kind: 'fetch', id, fetchId: lastFetchId, request })
    return promise
  }
  port.on('message', (message: ToPool) => {
    if (message.kind === 'answer') {
      fetching.get(message.fetchId)?.(message.response)
      fetching.delete(message.fetchId)
      return
    }
    const { id, request } = message
    pool.render(client, request, { fetch: (subrequest) => fetch(id, subrequest) }).then(
      (page) => post({ kind: 'rendered', id, page }),
      (error: unknown) => post({ kind: 'failed', id, ...describe(error) }),
    )
  })
  port.on('close', () => pool.dropClient(client))
}

function describe(error: unknown): Pick<ToClient & { kind: 'failed' }, 'code' | 'message'> {
  const { code, message } = asAppError(error)
  return { code, message }
}
