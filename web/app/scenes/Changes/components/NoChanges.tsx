import { LinkButton } from '../../../components/controls/Button.tsx'
import { EmptyState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import type { Crawl } from '../../../server/api.ts'
import { plural } from '../../../text/format.ts'
import { revisitsUrls } from '../../../text/recrawl.ts'
import { isEditable, isUnfinished } from '../../../text/states.ts'

/** Why there are no changes, and what to do about it. */
export function NoChanges({ crawl, pending }: { crawl: Crawl; pending: number }) {
  const canEdit = useHasScope('crawl') && isEditable(crawl.status)
  if (!revisitsUrls(crawl)) {
    return (
      <EmptyState
        icon="clock"
        title="This crawl visits every URL once"
        {...(canEdit
          ? { action: <LinkButton href={`/crawls/${crawl.crawl_id}?edit=recrawl`}>Turn on revisits</LinkButton> }
          : {})}
      >
        Changes are found when URLs are visited again. Set Revisit to an interval such as 6h, or to adaptive, which
        learns how often each page changes.
      </EmptyState>
    )
  }
  if (pending > 0) {
    return (
      <EmptyState icon="clock" title="Comparing">
        {plural(pending, 'page')} to compare with the previous version.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="check" title="Nothing has changed yet">
      {!isUnfinished(crawl.status) ? (
        'The crawl has ended and does not visit its URLs again.'
      ) : crawl.status === 'paused' ? (
        'The crawl is paused. Resume it to go on watching.'
      ) : crawl.next_visit_at === null ? (
        'Changes appear here after the second visit of a URL.'
      ) : (
        <>
          Next visit <RelativeTime at={crawl.next_visit_at} />.
        </>
      )}
    </EmptyState>
  )
}
