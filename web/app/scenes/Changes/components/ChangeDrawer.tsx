import { IconButton } from '../../../components/controls/Button.tsx'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { type Crawl, useApi } from '../../../server/api.ts'
import { shortUrl } from '../../../text/format.ts'
import type { ChangePages } from '../useChanges.ts'
import { ChangeDetails } from './ChangeDetails.tsx'

/** One change. j and k step through the list behind it. */
export function ChangeDrawer({
  crawl,
  changeId,
  pages,
  onOpen,
  onClose,
}: {
  crawl: Crawl
  changeId: number
  pages: ChangePages
  onOpen: (changeId: number) => void
  onClose: () => void
}) {
  const { data, error, refetch } = useApi('getChange', { params: { change_id: changeId } }, { staleTime: 30_000 })
  const at = pages.changes.findIndex(({ change_id }) => change_id === changeId)
  const previous = pages.changes[at - 1]
  const next = at === -1 ? undefined : pages.changes[at + 1]
  const step = (change: typeof next): void => {
    if (change === undefined) return
    if (at > pages.changes.length - 5) pages.loadMore()
    onOpen(change.change_id)
  }
  useShortcuts([
    { keys: 'j', label: 'Next change', isInDialog: true, run: () => step(next) },
    { keys: 'k', label: 'Previous change', isInDialog: true, run: () => step(previous) },
  ])
  return (
    <Drawer
      title={data === undefined ? 'Change' : shortUrl(data.url)}
      onClose={onClose}
      actions={
        <>
          <IconButton
            label="Previous change (k)"
            icon="up"
            tip="left"
            disabled={previous === undefined}
            onClick={() => step(previous)}
          />
          <IconButton
            label="Next change (j)"
            icon="down"
            tip="left"
            disabled={next === undefined}
            onClick={() => step(next)}
          />
        </>
      }
    >
      {data === undefined && error === null ? <SkeletonRows rows={8} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : <ChangeDetails key={changeId} crawl={crawl} change={data} />}
    </Drawer>
  )
}
