import { Button } from '../../../components/Button.tsx'
import { Icon } from '../../../components/Icon.tsx'
import { shortUrl } from '../../../format.ts'
import { trailOf } from '../../../graph/trail.ts'
import type { GraphPlace } from '../address.ts'

/** Where in the crawl the graph is, with the way back up. */
export function Trail({
  place,
  around,
  onGo,
}: {
  place: GraphPlace
  /** The name of the url in the middle, when it is known. */
  around: string | undefined
  onGo: (change: Partial<GraphPlace>) => void
}) {
  if (place.under === null && place.around === null) return null
  const steps = place.under === null ? [] : trailOf(place.under)
  return (
    <nav aria-label="Place in the graph" className="flex flex-wrap items-center gap-0.5">
      <Button look="bare" onClick={() => onGo({ under: null, around: null, node: null, group: 'auto' })}>
        All
      </Button>
      {steps.map((step) => (
        <span key={step.under} className="flex min-w-0 items-center">
          <Icon name="right" size={12} className="text-muted" />
          <Button look="bare" onClick={() => onGo({ under: step.under, around: null, node: null, group: 'auto' })}>
            <span className="max-w-48 truncate">{step.name}</span>
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
