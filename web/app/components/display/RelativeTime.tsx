import { useNow } from '../../hooks/useNow.ts'
import { formatDateTime, formatRelativeTime } from '../../text/format.ts'

/** How long ago, kept right as time passes; the exact local time is its title. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000)
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatDateTime(date)} className="whitespace-nowrap">
      {formatRelativeTime(date, now)}
    </time>
  )
}
