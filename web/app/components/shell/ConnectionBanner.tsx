import { useStore } from '../../page/store.ts'
import { connectionStore } from '../../server/connection.ts'

/** Says that the server is away, and goes by itself when it is back. */
export function ConnectionBanner() {
  const isAway = useStore(connectionStore) === 'away'
  return (
    <div role="status" aria-live="polite">
      {isAway ? (
        <p className="flex items-center justify-center gap-2 border-b border-line bg-warn-soft px-4 py-1.5 text-warn">
          <span className="h-2 w-2 animate-pulse rounded-full bg-current" />
          The server does not answer. What you see may be old; the page goes on by itself once it is back.
        </p>
      ) : null}
    </div>
  )
}
