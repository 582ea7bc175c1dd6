import { formatAgo, formatTime } from '../format.ts'
import { useNow } from '../hooks/useNow.ts'

/** How long ago, kept right as time passes; the exact local time is its title. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000)
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatTime(date)} className="whitespace-nowrap">
      {formatAgo(date, now)}
    </time>
  )
}
