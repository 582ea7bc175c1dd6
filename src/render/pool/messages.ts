// Messages between a client in a crawl thread and the pool in the render thread.

import type { MessagePort } from 'node:worker_threads'
import type { ErrorCode } from '../../lib/errors.ts'
import type { RenderedPage, RenderRequest, SubresourceRequest, SubresourceResponse } from '../../ports/renderer.ts'

export type ToPool =
  | { kind: 'render'; id: number; request: RenderRequest }
  | { kind: 'answer'; fetchId: number; response: SubresourceResponse }
  | { kind: 'forget' }

export type ToClient =
  | { kind: 'rendered'; id: number; page: RenderedPage }
  | { kind: 'failed'; id: number; code: ErrorCode; message: string }
  | { kind: 'fetch'; id: number; fetchId: number; request: SubresourceRequest }

export interface PoolSettings {
  browsers: number
  pagesPerBrowser: number
  /** A browser is replaced after this many pages, or when its processes together exceed this memory. */
  pagesPerProcess: number
  browserMemoryMb: number
  /** Browsers without work are closed after this time. */
  idleMs: number
  /** Cache size for subresources that pages share. */
  cacheBytes: number
}

/** Response to a request whose page has ended, or whose client is gone. */
export const INTERRUPTED_RESPONSE: SubresourceResponse = {
  status: 0,
  headers: [],
  body: new Uint8Array(),
  isFromCache: false,
  blockedReason: 'interrupted',
  gapMs: 0,
}

/** Messages from the main thread to the render thread. `first`: the message that the client has already sent. */
export type ToThread = { kind: 'connect'; port: MessagePort; crawl: string; first: ToPool } | { kind: 'close' }
