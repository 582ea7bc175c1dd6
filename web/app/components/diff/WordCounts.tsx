import { formatShort, plural } from '../../text/format.ts'

/** +12 −3, or nothing if lines only moved. */
export function WordCounts({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null
  return (
    <span title={`${plural(added, 'word')} added, ${formatShort(removed)} removed`} className="whitespace-nowrap">
      <span aria-hidden="true">
        <span className="text-good">+{formatShort(added)}</span>{' '}
        <span className="text-bad">−{formatShort(removed)}</span>
      </span>
      <span className="sr-only">
        {plural(added, 'word')} added, {formatShort(removed)} removed
      </span>
    </span>
  )
}
