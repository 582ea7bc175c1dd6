import { facetText } from '../../../../../src/api/contract/facet-text.ts'
import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { formatShort } from '../../../text/format.ts'
import { hasCondition, toFacetCondition, toggleCondition } from '../query-conditions.ts'

type FacetCounts = NonNullable<RouteResponse<'search'>['facets']>

const TITLES = { host: 'Host', lang: 'Language', type: 'Type', date: 'Changed' } as const
const ORDER = ['host', 'lang', 'type', 'date'] as const

export function Facets({
  facets,
  query,
  onQuery,
}: {
  facets: FacetCounts
  query: string
  onQuery: (query: string) => void
}) {
  return (
    <div className="flex gap-4 overflow-x-auto lg:flex-col">
      {ORDER.filter((facet) => facets[facet].length > 0).map((facet) => (
        <section key={facet} aria-label={TITLES[facet]} className="min-w-36">
          <h2 className="px-2 pb-1 text-xs font-medium text-muted">{TITLES[facet]}</h2>
          <ul>
            {facets[facet].slice(0, 8).map(({ key, count }) => {
              const condition = toFacetCondition(facet, key)
              const isOn = hasCondition(query, condition)
              return (
                <li key={key}>
                  <button
                    type="button"
                    aria-pressed={isOn}
                    onClick={() => onQuery(toggleCondition(query, condition))}
                    className={`flex h-7 w-full items-center justify-between gap-2 rounded px-2 text-left hover:bg-hover ${isOn ? 'bg-accent-soft font-medium' : ''}`}
                  >
                    <span className="min-w-0 truncate" title={key}>
                      {facetText(facet, key)}
                    </span>
                    <span className="text-xs text-muted">{formatShort(count)}</span>
                  </button>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}
