import { useSyncExternalStore } from 'react'

/** Below this width a table does not fit. Equals the `md` breakpoint of Tailwind. */
const NARROW = '(width < 48rem)'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
