// Tracks whether the server is reachable. All requests go through the fetch of trackConnection, and one is sent every
// second and a half, since some scenes send none by themselves. When one fails to connect, the server is probed every two
// seconds until it responds; then `onBack` refetches everything.

import { createStore } from '../page/store.ts'

export type ConnectionState = 'up' | 'away'

export const connectionStore = createStore<ConnectionState>('up')

const PROBE_EVERY_MS = 2000
/** A server that stops is noticed within two seconds. */
const PING_EVERY_MS = 1500
const PING_PATH = '/api/v1'
/** Statuses of a proxy whose upstream is unreachable. */
const GATEWAY_STATUSES = new Set([502, 504])

export interface TrackedConnection {
  fetch: typeof fetch
  /** Reports a failed load outside of `fetch` and starts probing. */
  noteAway: () => void
}

export function trackConnection(onBack: () => void): TrackedConnection {
  const probe = async (): Promise<void> => {
    const isBack = await fetch(PING_PATH, { cache: 'no-store' }).then(
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
  // A hidden page learns of it with the next request, when it is shown again.
  setInterval(() => {
    if (connectionStore.get() === 'up' && document.visibilityState === 'visible')
      trackedFetch(PING_PATH, { cache: 'no-store' }).catch(() => undefined)
  }, PING_EVERY_MS)
  return { fetch: trackedFetch, noteAway }
}
