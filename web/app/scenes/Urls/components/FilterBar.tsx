import { Button } from '../../../components/controls/Button.tsx'
import { Chip, ToggleChip } from '../../../components/controls/Chip.tsx'
import { FilterInput } from '../../../components/controls/FilterInput.tsx'
import { ExportMenu } from '../../../components/crawl/ExportMenu.tsx'
import { withValues } from '../../../page/query.ts'
import { formatShort, plural } from '../../../text/format.ts'
import { ledgerParts, type StateCounts } from '../../../text/ledger.ts'
import type { Column } from '../columns.tsx'
import {
  type Filters,
  isPartOn,
  toFilterChips,
  togglePart,
  toUrlQuery,
  type UrlQuery,
  withoutChip,
  withoutFilters,
} from '../filters.ts'
import type { UrlMatches } from '../useUrlCounts.ts'
import { AddFilter } from './AddFilter.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'
import { CopyMenu } from './CopyMenu.tsx'

interface Props {
  crawlId: string
  /** Counts of the whole crawl, whatever the filters. */
  states: StateCounts
  matches: UrlMatches | null
  filters: Filters
  /** The filters and the order, as parameters of listUrls. */
  listQuery: UrlQuery
  columns: readonly Column[]
  query: URLSearchParams
  onChange: (query: URLSearchParams) => void
  onColumns: (ids: readonly string[]) => void
}

export function FilterBar({
  crawlId,
  states,
  matches,
  filters,
  listQuery,
  columns,
  query,
  onChange,
  onColumns,
}: Props) {
  const chips = toFilterChips(filters).filter(({ name }) => name !== 'state' && name !== 'text')
  const allParts = ledgerParts(matches?.states ?? {}, matches?.reasons)
  const hasLeftOut = allParts.some(({ filter }) => filter.reason !== undefined)
  const parts = allParts.filter((part) => {
    if (part.count > 0 || isPartOn(filters, part)) return true
    // "Excluded 0" beside left-out URLs would select those, since they are in the same state.
    return (states[part.filter.state] ?? 0) > 0 && (part.key !== 'excluded' || !hasLeftOut)
  })
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b border-line bg-canvas px-4 py-2 md:px-6">
      <div className="flex flex-wrap items-center gap-2">
        <FilterInput
          label="Filter by URL or title"
          text={filters.text}
          onChange={(text) => onChange(withValues(query, { text }))}
          className="max-w-72 flex-1 basis-40"
        />
        <AddFilter onAdd={(name, value) => onChange(withValues(query, { [name]: value }))} />
        {chips.map((chip) => (
          <Chip key={chip.name} label={`filter ${chip.label}`} onRemove={() => onChange(withoutChip(query, chip))}>
            {chip.label}
          </Chip>
        ))}
        {chips.length + filters.state.length > 0 || filters.text !== '' ? (
          <span role="status" className="text-muted">
            {matches === null ? 'Counting…' : matchText(matches)}
          </span>
        ) : null}
        {chips.length + filters.state.length > 0 ? (
          <Button variant="quiet" onClick={() => onChange(withoutFilters(query))}>
            Clear filters
          </Button>
        ) : null}
        <div className="ml-auto flex gap-2">
          <ColumnMenu shown={columns} onChange={onColumns} />
          <CopyMenu crawlId={crawlId} query={listQuery} columns={columns} />
          <ExportMenu crawlId={crawlId} filter={toUrlQuery(filters)} />
        </div>
      </div>
      <fieldset className="-mx-4 flex gap-1.5 overflow-x-auto px-4 md:mx-0 md:flex-wrap md:px-0">
        <legend className="sr-only">State</legend>
        {parts.map((part) => (
          <ToggleChip
            key={part.key}
            isOn={isPartOn(filters, part)}
            onChange={() => onChange(withValues(query, { ...togglePart(filters, part) }))}
          >
            <span className="h-2 w-2 rounded-full" style={{ background: part.colour }} />
            {part.label}
            <span>{matches === null ? '' : formatShort(part.count)}</span>
          </ToggleChip>
        ))}
      </fieldset>
    </div>
  )
}

function matchText({ total, isComplete }: UrlMatches): string {
  return isComplete ? `${plural(total, 'match', 'matches')}` : `At least ${plural(total, 'match', 'matches')}`
}
