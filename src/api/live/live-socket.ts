// One WebSocket that watches a crawl. What the peer is too slow to take is left out, so that it costs no memory.

import type { RawData, WebSocket } from 'ws'
import type { ProgressFeed } from './progress-feed.ts'

/** Bytes on their way to a peer: some dozens of messages. */
const MAX_BUFFERED = 64 * 1024
const NORMAL = 1000
const GOING_AWAY = 1001
const NOT_ALLOWED = 1008

export class LiveSocket {
  readonly #socket: WebSocket
  readonly #stopWatching: () => void
  #isAlive = true
  /** Messages that were left out. */
  skipped = 0

  constructor(
    socket: WebSocket,
    progressFeed: ProgressFeed,
    { crawlId, intervalMs }: { crawlId: string; intervalMs: number },
  ) {
    this.#socket = socket
    socket.on('pong', () => {
      this.#isAlive = true
    })
    // Nothing is expected from a peer; what it says shows that it lives.
    socket.on('message', (_data: RawData) => {
      this.#isAlive = true
    })
    socket.on('error', () => socket.terminate())
    this.#stopWatching = progressFeed.watch(crawlId, {
      intervalMs,
      send: (message) => this.#send(message),
      end: (_why, message) => this.#end(message),
    })
    socket.on('close', this.#stopWatching)
  }

  /** Ends a peer that has not answered since the last call. */
  checkAlive(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  /** What it was let in with is no longer good. */
  closeRevoked(): void {
    this.#stopWatching()
    this.#socket.close(NOT_ALLOWED, 'The token is no longer good.')
  }

  closeGoingAway(): void {
    this.#stopWatching()
    this.#socket.close(GOING_AWAY, 'The server stops.')
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #send(message: string): boolean {
    if (this.#socket.bufferedAmount > MAX_BUFFERED) {
      this.skipped += 1
      return false
    }
    this.#socket.send(message)
    return true
  }

  #end(message: string): void {
    this.#socket.send(message)
    this.#socket.close(NORMAL)
  }
}
