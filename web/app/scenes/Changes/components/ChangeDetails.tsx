import { Link } from 'wouter'
import { FieldChanges } from '../../../components/diff/FieldChanges.tsx'
import { PageText } from '../../../components/diff/PageText.tsx'
import { VersionLinks } from '../../../components/diff/VersionLinks.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
import { urlHref } from '../../../page/navigation.ts'
import type { Crawl } from '../../../server/api.ts'
import { CHANGE_STYLES } from '../../../text/changes.ts'
import { formatDateTime } from '../../../text/format.ts'
import { listFactChanges } from '../fact-changes.ts'
import { type ChangeWithDiff, ComparedText } from './ComparedText.tsx'

/** What changed, when, and how the text differs. */
export function ChangeDetails({ crawl, change }: { crawl: Crawl; change: ChangeWithDiff }) {
  const facts = listFactChanges(change.facts)
  return (
    <div className="flex flex-col gap-4">
      <div>
        <ExternalUrl url={change.url} />
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={CHANGE_STYLES[change.kind].tone}>{CHANGE_STYLES[change.kind].label}</Badge>
          <time dateTime={change.at}>{formatDateTime(new Date(change.at))}</time>
          <Link href={urlHref(change.crawl_id, change.url_id)} className="text-accent hover:underline">
            URL details
          </Link>
        </div>
        {change.title === null ? null : <p className="mt-2 font-medium break-words">{change.title}</p>}
      </div>
      {facts.length === 0 ? null : <FieldChanges changes={facts} />}
      <VersionLinks before={change.previous_page_id} after={change.page_id} />
      <Text crawl={crawl} change={change} />
    </div>
  )
}

/** A new page cannot be compared with an earlier version; for a removed page, the last version is shown. */
function Text({ crawl, change }: { crawl: Crawl; change: ChangeWithDiff }) {
  switch (change.kind) {
    case 'added':
      return change.page_id === null ? null : <TitledText title="Text of the page" pageId={change.page_id} />
    case 'removed':
    case 'redirected':
      return change.previous_page_id === null ? null : (
        <TitledText title="Last archived text" pageId={change.previous_page_id} />
      )
    case 'changed':
    case 'returned':
      return <ComparedText crawl={crawl} change={change} />
  }
}

function TitledText({ title, pageId }: { title: string; pageId: number }) {
  return (
    <div>
      <h3 className="mb-1.5 text-xs font-semibold text-muted">{title}</h3>
      <PageText title={title} pageId={pageId} />
    </div>
  )
}
