// Tracks whether the server is reachable. All requests go through the fetch of trackConnection. When one fails to
// connect, the server is probed every two seconds until it responds; then `onBack` refetches everything.

import { createStore } from '../page/store.ts'

export type ConnectionState = 'up' | 'away'

export const connectionStore = createStore<ConnectionState>('up')

const PROBE_EVERY_MS = 2000
/** Statuses of a proxy whose upstream is unreachable. */
const GATEWAY_STATUSES = new Set([502, 504])

export interface TrackedConnection {
  fetch: typeof fetch
  /** Reports a failed load outside of `fetch` and starts probing. */
  noteAway: () => void
}

export function trackConnection(onBack: () => void): TrackedConnection {
  const probe = async (): Promise<void> => {
    const isBack = await fetch('/api/v1', { cache: 'no-store' }).then(
      (response) => !GATEWAY_STATUSES.has(response.status),
      () => false,
    )
    if (!isBack) {
      setTimeout(() => void probe(), PROBE_EVERY_MS)
      return
    }
    connectionStore.set('up')
    onBack()
  }

  const noteAway = (): void => {
    if (connectionStore.get() === 'away') return
    connectionStore.set('away')
    setTimeout(() => void probe(), PROBE_EVERY_MS)
  }

  const trackedFetch: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init)
      if (GATEWAY_STATUSES.has(response.status)) noteAway()
      return response
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) noteAway()
      throw error
    }
  }
  return { fetch: trackedFetch, noteAway }
}
