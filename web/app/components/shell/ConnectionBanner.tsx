import { useStore } from '../../page/store.ts'
import { connectionStore } from '../../server/connection.ts'

/** Shown while the server is unreachable. */
export function ConnectionBanner() {
  const isAway = useStore(connectionStore) === 'away'
  return (
    <div role="status" aria-live="polite">
      {isAway ? (
        <p className="flex items-center justify-center gap-2 border-b border-line bg-warn-soft px-4 py-1.5 text-warn">
          <span className="h-2 w-2 animate-pulse rounded-full bg-current" />
          The server is not responding. Data may be out of date. Reconnecting automatically.
        </p>
      ) : null}
    </div>
  )
}
