import { StepDrawer } from '../../../components/dialogs/StepDrawer.tsx'
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
  const query = useApi('getChange', { params: { change_id: changeId } }, { staleTime: 30_000 })
  const at = pages.changes.findIndex(({ change_id }) => change_id === changeId)
  const stepTo = (change: ChangePages['changes'][number] | undefined) =>
    change === undefined || at === -1
      ? undefined
      : () => {
          if (at > pages.changes.length - 5) pages.loadMore()
          onOpen(change.change_id)
        }
  return (
    <StepDrawer
      noun="change"
      title={query.data === undefined ? 'Change' : shortUrl(query.data.url)}
      query={query}
      onPrevious={stepTo(pages.changes[at - 1])}
      onNext={stepTo(pages.changes[at + 1])}
      onClose={onClose}
    >
      {(change) => <ChangeDetails key={changeId} crawl={crawl} change={change} />}
    </StepDrawer>
  )
}
