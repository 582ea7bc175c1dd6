// Components that are loaded when first shown. If the server is unreachable, loading is retried once it is back. React's
// own lazy() caches a failure for the lifetime of the page, and shows a component no sooner than 300 ms after its
// placeholder (React 19.3).

import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { waitForValue } from '../page/store.ts'
import { reportUnreachable } from './api.ts'
import { connectionStore } from './connection.ts'

const RELOADED_AT_KEY = 'reloaded-at'
const MIN_RELOAD_INTERVAL_MS = 60_000

/** Shows the fallback while loading, and a preloaded component at once. */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>, fallback: ReactNode) {
  let loading: Promise<void> | null = null
  let loaded: ComponentType<P> | null = null
  const preload = (): Promise<void> => {
    loading ??= loadWithRetry(load).then(
      (component) => {
        loaded = component
      },
      (error: unknown) => {
        loading = null
        throw error
      },
    )
    return loading
  }
  const Lazy = (props: P) => {
    const [Loaded, setLoaded] = useState(() => loaded)
    useEffect(() => {
      const show = () => setLoaded(() => loaded)
      preload().then(show, (error: unknown) =>
        // Thrown while rendering, since the error boundary sees nothing else.
        setLoaded(() => {
          throw error
        }),
      )
    }, [])
    return Loaded === null ? fallback : <Loaded {...props} />
  }
  return Object.assign(Lazy, { preload: () => void preload().catch(() => undefined) })
}

/** Loads a part of the app. Waits for the server if it is unreachable, and reloads the page after an upgrade. */
export async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    reportUnreachable()
    await waitForValue(connectionStore, 'up')
  }
  try {
    return await load()
  } catch (error) {
    // Either the server has a new version of the app, or the browser has cached the failure. A reload fixes both.
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY))
    if (Date.now() - reloadedAt < MIN_RELOAD_INTERVAL_MS) throw error
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    location.reload()
    return new Promise(() => undefined)
  }
}
