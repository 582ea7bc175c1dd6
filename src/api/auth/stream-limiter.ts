// Limits the open sockets and event streams per token, or per address without a token, so that one client cannot use up
// the global limit.

import { RequestError } from '../requests/request-error.ts'
import type { ClientIdentity } from './request-guard.ts'

export class StreamLimiter {
  readonly #maxOpen: number
  readonly #open = new Map<string, number>()

  constructor(maxOpen: number) {
    this.#maxOpen = maxOpen
  }

  /** Returns a function that releases the slot; calling it again has no effect. */
  acquire({ tokenId, address }: ClientIdentity): () => void {
    const key = tokenId ?? address
    const count = this.#open.get(key) ?? 0
    if (count >= this.#maxOpen) {
      const owner = tokenId === null ? 'This address' : 'This token'
      const message = `${owner} has ${count} sockets and event streams open, which is the limit (--token-sockets). Close one first.`
      throw new RequestError('RATE_LIMITED', message, { headers: { 'retry-after': '10' } })
    }
    this.#open.set(key, count + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const left = (this.#open.get(key) ?? 1) - 1
      if (left === 0) this.#open.delete(key)
      else this.#open.set(key, left)
    }
  }
}

/** Wraps a stream so that `end` runs when it ends, also if it is aborted before the first read. */
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
