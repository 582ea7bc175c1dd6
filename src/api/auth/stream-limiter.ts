// Open sockets and event streams, counted for each token, or for each address without one, so that one caller cannot use
// up the global limit.

import { RequestError } from '../requests/request-error.ts'
import type { ClientIdentity } from './request-guard.ts'

export class StreamLimiter {
  readonly #maxOpen: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#maxOpen = most
  }

  /** Answers what to call when it is over, once or more often. */
  acquire({ tokenId, address }: ClientIdentity): () => void {
    const key = tokenId ?? address
    const count = this.#open.get(key) ?? 0
    if (count >= this.#maxOpen) {
      const who = tokenId === null ? 'This address' : 'This token'
      const message = `${who} has ${count} sockets and streams of events open, which is the most (--token-sockets). Close one first.`
      throw new RequestError('RATE_LIMITED', message, { headers: { 'retry-after': '10' } })
    }
    this.#open.set(key, count + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (this.#open.get(key) ?? 1) - 1
      if (left === 0) this.#open.delete(key)
      else this.#open.set(key, left)
    }
  }
}

/** Wraps the stream; `end` also runs if it is aborted before the first read. */
export function withCleanup(texts: AsyncIterable<string>, end: () => void, signal: AbortSignal): AsyncIterable<string> {
  signal.addEventListener('abort', end, { once: true })
  return streamWithCleanup(texts, end)
}

async function* streamWithCleanup(texts: AsyncIterable<string>, end: () => void): AsyncGenerator<string, void, void> {
  try {
    yield* texts
  } finally {
    end()
  }
}
