import { useSyncExternalStore } from 'react'

/** Below this a table does not fit; the same bound as `md` in styles. */
const NARROW = '(width < 48rem)'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
