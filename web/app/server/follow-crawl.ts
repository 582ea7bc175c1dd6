// The progress of one crawl as it happens. A WebSocket tells it; when the socket cannot be had or breaks, the crawl is
// asked for every three seconds while the socket is tried again, later each time. It ends with the crawl.

import { isLive } from '../text/states.ts'
import type { CrawlProgress } from './api.ts'

export type LiveTransport = 'connecting' | 'socket' | 'polling'

export interface FollowCrawlDependencies {
  openSocket: () => WebSocket
  poll: () => Promise<CrawlProgress>
  /** From 0 to 1. */
  random: () => number
  /** Calls back after a time; the returned function forgets it. */
  after: (ms: number, run: () => void) => () => void
  onProgress: (progress: CrawlProgress) => void
  onLink: (liveTransport: LiveTransport) => void
}

const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 15_000
export const POLL_INTERVAL_MS = 3000

/** Half of it is chance, so that many pages do not come back to a server in the same instant. */
export function retryDelayMs(failures: number, random: number): number {
  const longest = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

/** Follows until the crawl has ended or the returned function is called. */
export function followCrawl(parts: FollowCrawlDependencies): () => void {
  let isOver = false
  let failures = 0
  let socket: WebSocket | null = null
  let forgetRetry = (): void => undefined
  let forgetPoll: (() => void) | null = null

  const stop = (): void => {
    isOver = true
    forgetRetry()
    forgetPoll?.()
    socket?.close()
  }

  const take = (progress: CrawlProgress): void => {
    parts.onProgress(progress)
    if (!isLive(progress.status)) stop()
  }

  const pollLater = (): void => {
    forgetPoll?.()
    forgetPoll = parts.after(POLL_INTERVAL_MS, () => {
      parts.poll().then(
        (progress) => forgetPoll !== null && !isOver && take(progress),
        // Away or refused: the rest of the page says so, and the next poll comes anyway.
        () => undefined,
      )
      pollLater()
    })
  }

  const connect = (): void => {
    const mine = parts.openSocket()
    socket = mine
    mine.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (isOver) return
      const message: unknown = typeof event.data === 'string' ? JSON.parse(event.data) : null
      if (!isProgress(message)) return
      failures = 0
      forgetPoll?.()
      forgetPoll = null
      parts.onLink('socket')
      take(message)
    })
    mine.addEventListener('close', () => {
      if (isOver) return
      parts.onLink('polling')
      if (forgetPoll === null) pollLater()
      forgetRetry = parts.after(retryDelayMs(failures, parts.random()), connect)
      failures += 1
    })
  }

  parts.onLink('connecting')
  connect()
  return stop
}

function isProgress(message: unknown): message is CrawlProgress {
  return typeof message === 'object' && message !== null && 'crawl_id' in message && 'states' in message
}
