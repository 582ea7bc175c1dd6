// Follows the progress of one crawl over a WebSocket. While the socket is down, it polls every three seconds and
// reconnects with backoff. It stops when the crawl ends.

import { isUnfinished } from '../text/states.ts'
import type { CrawlProgress } from './api.ts'

export type LiveTransport = 'connecting' | 'socket' | 'polling'

export interface FollowCrawlDependencies {
  openSocket: () => WebSocket
  poll: () => Promise<CrawlProgress>
  /** Random number from 0 to 1. */
  random: () => number
  /** A timer; the returned function cancels it. */
  after: (ms: number, run: () => void) => () => void
  onProgress: (progress: CrawlProgress) => void
  onTransport: (liveTransport: LiveTransport) => void
}

/** `WebSocket.CONNECTING`. */
const CONNECTING = 0
const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 15_000
export const POLL_INTERVAL_MS = 3000

/** Exponential backoff, half of it jitter, so that many clients do not reconnect at the same instant. */
export function retryDelayMs(failures: number, random: number): number {
  const longest = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** failures)
  return Math.round(longest * (0.5 + random / 2))
}

/** Follows until the crawl ends or the returned function is called. */
export function followCrawl(dependencies: FollowCrawlDependencies): () => void {
  let isOver = false
  let failures = 0
  let socket: WebSocket | null = null
  let cancelRetry = (): void => undefined
  let cancelPoll: (() => void) | null = null

  const stop = (): void => {
    isOver = true
    cancelRetry()
    cancelPoll?.()
    if (socket !== null) closeQuietly(socket)
  }

  const report = (progress: CrawlProgress): void => {
    dependencies.onProgress(progress)
    if (!isUnfinished(progress.status)) stop()
  }

  const pollLater = (): void => {
    cancelPoll?.()
    cancelPoll = dependencies.after(POLL_INTERVAL_MS, () => {
      dependencies.poll().then(
        (progress) => cancelPoll !== null && !isOver && report(progress),
        // The rest of the app reports the error, and the next poll is already scheduled.
        () => undefined,
      )
      pollLater()
    })
  }

  const connect = (): void => {
    const opened = dependencies.openSocket()
    socket = opened
    opened.addEventListener('message', (event: MessageEvent<unknown>) => {
      if (isOver) return
      const message: unknown = typeof event.data === 'string' ? JSON.parse(event.data) : null
      if (!isProgress(message)) return
      failures = 0
      cancelPoll?.()
      cancelPoll = null
      dependencies.onTransport('socket')
      report(message)
    })
    opened.addEventListener('close', () => {
      if (isOver) return
      dependencies.onTransport('polling')
      if (cancelPoll === null) pollLater()
      cancelRetry = dependencies.after(retryDelayMs(failures, dependencies.random()), connect)
      failures += 1
    })
  }

  dependencies.onTransport('connecting')
  connect()
  return stop
}

/** Browsers log an error if a socket is closed while it is connecting. */
function closeQuietly(socket: WebSocket): void {
  if (socket.readyState === CONNECTING) socket.addEventListener('open', () => socket.close())
  else socket.close()
}

function isProgress(message: unknown): message is CrawlProgress {
  return typeof message === 'object' && message !== null && 'crawl_id' in message && 'states' in message
}
