import { Button } from '../../../components/controls/Button.tsx'
import { Chip, ToggleChip } from '../../../components/controls/Chip.tsx'
import { Select } from '../../../components/controls/Input.tsx'
import { FeedLink } from '../../../components/display/FeedLink.tsx'
import { withValues } from '../../../page/query.ts'
import { routeUrl } from '../../../server/api.ts'
import { CHANGE_KINDS, CHANGE_STYLES, type ChangeCounts } from '../../../text/changes.ts'
import { formatShort, plural, shortUrl } from '../../../text/format.ts'
import { type ChangeFilters, SIZES, toFeedQuery } from '../filters.ts'

export function ChangeFilterBar({
  crawlId,
  counts,
  filters,
  query,
  onChange,
}: {
  crawlId: string
  counts: ChangeCounts | undefined
  filters: ChangeFilters
  query: URLSearchParams
  onChange: (query: URLSearchParams) => void
}) {
  const { kinds, minWords, url } = filters
  const isFiltered = kinds.length > 0 || minWords > 0 || url !== ''
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-canvas px-4 py-2 md:px-6">
      <fieldset className="-mx-4 flex max-w-[100vw] gap-1.5 overflow-x-auto px-4 md:mx-0 md:flex-wrap md:px-0">
        <legend className="sr-only">Kind of change</legend>
        {CHANGE_KINDS.map((kind) => (
          <ToggleChip
            key={kind}
            isOn={kinds.includes(kind)}
            onChange={(isOn) => {
              const others = kinds.filter((other) => other !== kind)
              onChange(withValues(query, { kind: isOn ? [...others, kind] : others }))
            }}
          >
            {CHANGE_STYLES[kind].label}
            <span>{counts === undefined ? '' : formatShort(counts[kind])}</span>
          </ToggleChip>
        ))}
      </fieldset>
      <Select
        aria-label="Size of change"
        className="max-w-44"
        value={minWords}
        onChange={(event) =>
          onChange(withValues(query, { min_words: event.target.value === '0' ? '' : event.target.value }))
        }
      >
        {SIZES.map((size) => (
          <option key={size} value={size}>
            {size === 0 ? 'Any size' : `${size} words or more`}
          </option>
        ))}
      </Select>
      {url === '' ? null : (
        <Chip label="filter by URL" onRemove={() => onChange(withValues(query, { url: '' }))}>
          {shortUrl(url)}
        </Chip>
      )}
      {isFiltered ? (
        <Button variant="quiet" onClick={() => onChange(new URLSearchParams())}>
          Clear filters
        </Button>
      ) : null}
      <div className="ml-auto flex items-center gap-3">
        {counts === undefined || counts.pending === 0 ? null : (
          <span className="text-xs text-muted">{plural(counts.pending, 'page')} to compare</span>
        )}
        <FeedLink
          href={routeUrl('getChangeFeed', { params: { crawl_id: crawlId }, query: toFeedQuery(filters) })}
          title="These changes"
        />
      </div>
    </div>
  )
}
