import { formatNumber, formatShare } from '../../../text/format.ts'

const COUNT_STYLES = [
  { key: 'added', label: 'Added', colour: 'var(--state-visited)' },
  { key: 'removed', label: 'Removed', colour: 'var(--state-failed)' },
  { key: 'changed', label: 'Changed', colour: 'var(--state-forbidden)' },
  { key: 'same', label: 'Unchanged', colour: 'var(--state-queued)' },
] as const

type Counts = Record<(typeof COUNT_STYLES)[number]['key'], number>

/** A bar with all URLs of both crawls, and the counts that add up to it. */
export function ComparisonCounts(counts: Counts) {
  const total = COUNT_STYLES.reduce((sum, { key }) => sum + counts[key], 0)
  return (
    <section aria-label="Summary" className="flex flex-col gap-2">
      <div className="flex h-2 overflow-hidden rounded bg-sunken" aria-hidden="true">
        {COUNT_STYLES.map(({ key, colour }) => (
          <span key={key} style={{ background: colour, width: total === 0 ? 0 : `${(counts[key] / total) * 100}%` }} />
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {COUNT_STYLES.map(({ key, label, colour }) => (
          <div key={key} className="rounded-lg border border-line bg-surface px-3 py-2">
            <dt className="flex items-center gap-1.5 text-xs text-muted">
              <span className="h-2 w-2 rounded-full" style={{ background: colour }} />
              {label}
            </dt>
            <dd className="text-base font-semibold">
              {formatNumber(counts[key])}
              <span className="ml-2 text-xs font-normal text-muted">
                {total === 0 ? '' : formatShare(counts[key] / total)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
