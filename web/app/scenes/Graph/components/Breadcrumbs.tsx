import { Button } from '../../../components/controls/Button.tsx'
import { Icon } from '../../../components/display/Icon.tsx'
import { toBreadcrumbs } from '../../../graph/breadcrumbs.ts'
import { decodeText, shortUrl } from '../../../text/format.ts'
import type { GraphViewState } from '../view-state.ts'

/** The path to the group or URL that the graph shows. */
export function Breadcrumbs({
  viewState,
  around,
  onGo,
}: {
  viewState: GraphViewState
  /** Label of the URL in the centre, if loaded. */
  around: string | undefined
  onGo: (change: Partial<GraphViewState>) => void
}) {
  // A graph of URLs has no groups to open.
  const open = viewState.group === 'url' ? [] : viewState.open
  if (viewState.under === null && viewState.around === null && open.length === 0) return null
  const steps = viewState.under === null ? [] : toBreadcrumbs(viewState.under)
  return (
    <nav aria-label="Graph path" className="flex flex-wrap items-center gap-0.5">
      <Button variant="bare" onClick={() => onGo({ under: null, open: [], around: null, node: null, group: 'auto' })}>
        All
      </Button>
      {steps.map((breadcrumb) => (
        <span key={breadcrumb.under} className="flex min-w-0 items-center">
          <Icon name="right" size={12} className="text-muted" />
          <Button
            variant="bare"
            onClick={() => onGo({ under: breadcrumb.under, open: [], around: null, node: null, group: 'auto' })}
          >
            <span className="max-w-48 truncate">{breadcrumb.name}</span>
          </Button>
        </span>
      ))}
      {open.map((label) => (
        <Button
          key={label}
          icon="close"
          aria-label={`Close ${label}`}
          onClick={() => onGo({ open: open.filter((other) => !isWithin(other, label)), node: null })}
        >
          <span className="max-w-48 truncate">{decodeText(label.split('/').slice(1).join('/') || label)}</span>
        </Button>
      ))}
      {viewState.around === null ? null : (
        <span className="flex items-center gap-1 px-1">
          <Icon name="right" size={12} className="text-muted" />
          Neighbours of {around === undefined ? `URL ${viewState.around}` : shortUrl(around)}
        </span>
      )}
    </nav>
  )
}

/** Closing a folder closes the folders in it. */
function isWithin(label: string, folder: string): boolean {
  return label === folder || label.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}
