import { Button } from '../../../components/controls/Button.tsx'
import { Chip, ToggleChip } from '../../../components/controls/Chip.tsx'
import { FilterInput } from '../../../components/controls/FilterInput.tsx'
import { ExportMenu } from '../../../components/crawl/ExportMenu.tsx'
import { withValues } from '../../../page/query.ts'
import type { Crawl } from '../../../server/api.ts'
import { formatShort } from '../../../text/format.ts'
import { URL_STATE_ORDER, URL_STATE_STYLES } from '../../../text/states.ts'
import { type Filters, toFilterChips, toUrlQuery, withoutChip } from '../filters.ts'
import { AddFilter } from './AddFilter.tsx'
import { ColumnMenu } from './ColumnMenu.tsx'
import { CopyUrls } from './CopyUrls.tsx'

interface Props {
  crawlId: string
  states: Crawl['states'] | undefined
  filters: Filters
  query: URLSearchParams
  onChange: (query: URLSearchParams) => void
}

export function FilterBar({ crawlId, states, filters, query, onChange }: Props) {
  const chips = toFilterChips(filters).filter(({ name }) => name !== 'state' && name !== 'text')
  const toggle = (state: string, isOn: boolean): void => {
    const others = filters.state.filter((other) => other !== state)
    onChange(withValues(query, { state: isOn ? [...others, state] : others }))
  }
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
        {chips.length + filters.state.length > 0 ? (
          <Button variant="quiet" onClick={() => onChange(new URLSearchParams())}>
            Clear filters
          </Button>
        ) : null}
        <div className="ml-auto flex gap-2">
          <ColumnMenu />
          <CopyUrls crawlId={crawlId} filters={filters} />
          <ExportMenu crawlId={crawlId} filter={toUrlQuery(filters)} />
        </div>
      </div>
      <fieldset className="-mx-4 flex gap-1.5 overflow-x-auto px-4 md:mx-0 md:flex-wrap md:px-0">
        <legend className="sr-only">State</legend>
        {URL_STATE_ORDER.map((state) => (
          <ToggleChip key={state} isOn={filters.state.includes(state)} onChange={(isOn) => toggle(state, isOn)}>
            <span className="h-2 w-2 rounded-full" style={{ background: URL_STATE_STYLES[state].colour }} />
            {URL_STATE_STYLES[state].label}
            <span>{states === undefined ? '' : formatShort(states[state])}</span>
          </ToggleChip>
        ))}
      </fieldset>
    </div>
  )
}
