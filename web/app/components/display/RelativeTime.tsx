import { useNow } from '../../hooks/useNow.ts'
import { formatDateTime, formatRelativeTime } from '../../text/format.ts'

/** A relative time that stays current; its title is the exact local time. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow(10_000)
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatDateTime(date)} className="whitespace-nowrap">
      {formatRelativeTime(date, now)}
    </time>
  )
}
