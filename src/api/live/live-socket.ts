// One WebSocket that follows a crawl. Messages to a slow client are skipped, so that they do not pile up in memory.

import type { RawData, WebSocket } from 'ws'
import type { ProgressFeed } from './progress-feed.ts'

/** Unsent bytes per client: a few dozen messages. */
const MAX_BUFFERED = 64 * 1024
const NORMAL = 1000
const GOING_AWAY = 1001
const NOT_ALLOWED = 1008

export class LiveSocket {
  readonly #socket: WebSocket
  readonly #unsubscribe: () => void
  #isAlive = true
  /** Number of skipped messages. */
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
    // Messages of clients are ignored; they only show that the client is alive.
    socket.on('message', (_data: RawData) => {
      this.#isAlive = true
    })
    socket.on('error', () => socket.terminate())
    this.#unsubscribe = progressFeed.subscribe(crawlId, {
      intervalMs,
      send: (message) => this.#send(message),
      end: (_reason, message) => this.#end(message),
    })
    socket.on('close', this.#unsubscribe)
  }

  /** Disconnects a client that has not responded since the last call. */
  checkAlive(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }

  closeRevoked(): void {
    this.#unsubscribe()
    this.#socket.close(NOT_ALLOWED, 'The token is no longer valid.')
  }

  closeGoingAway(): void {
    this.#unsubscribe()
    this.#socket.close(GOING_AWAY, 'The server is stopping.')
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
