import type { ReactNode } from 'react'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { FieldChanges } from '../../../components/diff/FieldChanges.tsx'
import { PageText } from '../../../components/diff/PageText.tsx'
import { VersionDiff } from '../../../components/diff/VersionDiff.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { useApi } from '../../../server/api.ts'
import { shortUrl } from '../../../text/format.ts'
import { DIFFERENCE_STYLES, type Difference } from '../difference.ts'
import { listFieldChanges } from '../field-changes.ts'
import { UrlLink } from './UrlLink.tsx'

/** One URL in both crawls: the fields and the text that differ. */
export function DifferenceDrawer({
  url,
  difference,
  a,
  b,
  onClose,
}: {
  url: string
  /** Undefined if it is not loaded, after a reload of the page. */
  difference: Difference | undefined
  a: string
  b: string
  onClose: () => void
}) {
  return (
    <Drawer title={shortUrl(url)} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div>
          <ExternalUrl url={url} />
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            {difference === undefined ? null : (
              <Badge tone={DIFFERENCE_STYLES[difference.change].tone}>
                {DIFFERENCE_STYLES[difference.change].label}
              </Badge>
            )}
            {difference?.change === 'added' ? null : (
              <UrlLink crawlId={a} url={url}>
                Details before
              </UrlLink>
            )}
            {difference?.change === 'removed' ? null : (
              <UrlLink crawlId={b} url={url}>
                Details after
              </UrlLink>
            )}
          </div>
        </div>
        {difference?.change === 'changed' ? (
          <FieldChanges changes={listFieldChanges(difference.fields, difference.before, difference.after)} />
        ) : null}
        <Texts url={url} a={a} b={b} />
      </div>
    </Drawer>
  )
}

/** The last version that each crawl archived. */
function Texts({ url, a, b }: { url: string; a: string; b: string }) {
  const pages = useApi('findPages', { query: { url } }, { staleTime: 60_000 })
  if (pages.isPending) return <SkeletonRows rows={4} />
  if (pages.isError) return <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
  const lastOf = (crawlId: string) =>
    pages.data.items
      .filter(({ crawl_id }) => crawl_id === crawlId)
      .toSorted((one, other) => one.version - other.version)
      .at(-1)
  const [before, after] = [lastOf(a), lastOf(b)]
  if (before !== undefined && after !== undefined) return <VersionDiff before={before.page_id} after={after.page_id} />
  const only = before ?? after
  if (only === undefined) return <Note>Neither crawl has archived this URL, so there is no text to compare.</Note>
  return (
    <>
      <Note>Only the {after === undefined ? 'earlier' : 'later'} crawl has archived this URL. Its text:</Note>
      <PageText title="Page text" pageId={only.page_id} />
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-muted">{children}</p>
}
