import type { ReactNode } from 'react'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { FieldChanges } from '../../../components/diff/FieldChanges.tsx'
import { PageText } from '../../../components/diff/PageText.tsx'
import { VersionDiff } from '../../../components/diff/VersionDiff.tsx'
import { VersionLinks } from '../../../components/diff/VersionLinks.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
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
  /** Undefined if it is not loaded, for example after a reload of the page. */
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
            {difference?.before === null ? null : (
              <UrlLink crawlId={a} url={url}>
                Details before
              </UrlLink>
            )}
            {difference?.after === null ? null : (
              <UrlLink crawlId={b} url={url}>
                Details after
              </UrlLink>
            )}
          </div>
        </div>
        {hasFields(difference) ? (
          <FieldChanges changes={listFieldChanges(difference.fields, difference.before, difference.after)} />
        ) : null}
        {difference === undefined ? (
          <Note>This URL is further down in the list. Show more differences to compare its text.</Note>
        ) : (
          <Texts before={difference.before_page_id} after={difference.after_page_id} />
        )}
      </div>
    </Drawer>
  )
}

function hasFields(difference: Difference | undefined): difference is Difference {
  return difference !== undefined && difference.fields.length > 0
}

/** The last version that each crawl archived. */
function Texts({ before, after }: { before: number | null; after: number | null }) {
  if (before !== null && after !== null) return <VersionDiff before={before} after={after} />
  const only = before ?? after
  if (only === null) return <Note>Neither crawl has archived this URL, so there is no text to compare.</Note>
  return (
    <>
      <Note>Only the {after === null ? 'earlier' : 'later'} crawl has archived this URL. Its text:</Note>
      <VersionLinks before={before} after={after} />
      <PageText title="Page text" pageId={only} />
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="text-muted">{children}</p>
}
