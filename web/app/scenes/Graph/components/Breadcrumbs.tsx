import { Button } from '../../../components/controls/Button.tsx'
import { Icon } from '../../../components/display/Icon.tsx'
import { toBreadcrumbs } from '../../../graph/breadcrumbs.ts'
import { shortUrl } from '../../../text/format.ts'
import type { GraphViewState } from '../view-state.ts'

/** Where in the crawl the graph is, with the way back up. */
export function Breadcrumbs({
  place,
  around,
  onGo,
}: {
  place: GraphViewState
  /** The name of the url in the middle, when it is known. */
  around: string | undefined
  onGo: (change: Partial<GraphViewState>) => void
}) {
  if (place.under === null && place.around === null) return null
  const steps = place.under === null ? [] : toBreadcrumbs(place.under)
  return (
    <nav aria-label="Place in the graph" className="flex flex-wrap items-center gap-0.5">
      <Button look="bare" onClick={() => onGo({ under: null, around: null, node: null, group: 'auto' })}>
        All
      </Button>
      {steps.map((breadcrumb) => (
        <span key={breadcrumb.under} className="flex min-w-0 items-center">
          <Icon name="right" size={12} className="text-muted" />
          <Button
            look="bare"
            onClick={() => onGo({ under: breadcrumb.under, around: null, node: null, group: 'auto' })}
          >
            <span className="max-w-48 truncate">{breadcrumb.name}</span>
          </Button>
        </span>
      ))}
      {place.around === null ? null : (
        <span className="flex items-center gap-1 px-1">
          <Icon name="right" size={12} className="text-muted" />
          Neighbourhood of {around === undefined ? `url ${place.around}` : shortUrl(around)}
        </span>
      )}
    </nav>
  )
}
