// Parts of the app that are loaded when they are first shown. A part that cannot be had because the server is away is
// loaded once it is back; React itself would keep the failure for as long as the page lives.

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
    // The server has another version of the app now, or the browser keeps the failure: either way a fresh page helps.
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY))
    if (Date.now() - reloadedAt < MIN_RELOAD_INTERVAL_MS) throw error
    sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    location.reload()
    return new Promise(() => undefined)
  }
}
