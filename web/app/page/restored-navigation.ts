// Whether the current URL was reached by a reload or by the back and forward buttons. Only then is a stored scroll
// position restored; a link starts at the top.

import { createStore } from './store.ts'

const store = createStore(false)

export const isRestoredNavigation = store.get

/** Listens for the lifetime of the page. The router dispatches pushState and replaceState events. */
export function trackNavigation(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  store.set(entry?.type === 'reload' || entry?.type === 'back_forward')
  addEventListener('popstate', () => store.set(true))
  addEventListener('pushState', () => store.set(false))
  addEventListener('replaceState', () => store.set(false))
}
