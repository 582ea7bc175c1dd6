// Parts of the app that are loaded when they are first shown. A part that cannot be had because the server is away is
// loaded once it is back; React itself would keep the failure for as long as the page lives.

import { type ComponentType, lazy } from 'react'
import { noteAway } from './api.ts'
import { connectionStore } from './connection.ts'
import { once } from './store.ts'

const RELOADED_AT = 'reloaded-at'
const RELOAD_AT_MOST_EVERY_MS = 60_000

export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await loadWhenBack(load) }))
}

async function loadWhenBack<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    noteAway()
    await once(connectionStore, 'up')
  }
  try {
    return await load()
  } catch (error) {
    // The server has another version of the app now, or the browser keeps the failure: either way a fresh page helps.
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT))
    if (Date.now() - reloadedAt < RELOAD_AT_MOST_EVERY_MS) throw error
    sessionStorage.setItem(RELOADED_AT, String(Date.now()))
    location.reload()
    return new Promise(() => undefined)
  }
}
