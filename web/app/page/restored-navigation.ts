// Whether the present address was come back to, by loading the page anew or by the back and forward buttons. Only then
// is a place that was kept worth returning to; a link leads to the beginning.

import { createStore } from './store.ts'

const store = createStore(false)

export const isRestoredNavigation = store.get

/** Listens for as long as the page lives. The router tells of its own steps by events of these names. */
export function watchNavigation(): void {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  store.set(entry?.type === 'reload' || entry?.type === 'back_forward')
  addEventListener('popstate', () => store.set(true))
  addEventListener('pushState', () => store.set(false))
  addEventListener('replaceState', () => store.set(false))
}
