// Components that are loaded when first shown. If the server is unreachable, loading is retried once it is back; React
// itself would cache the failure for the lifetime of the page.

import { type ComponentType, lazy } from 'react'
import { waitForValue } from '../page/store.ts'
import { reportUnreachable } from './api.ts'
import { connectionStore } from './connection.ts'

const RELOADED_AT_KEY = 'reloaded-at'
const MIN_RELOAD_INTERVAL_MS = 60_000

export function lazyComponent<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadWithRetry(load) }))
}

async function loadWithRetry<T>(load: () => Promise<T>): Promise<T> {
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
