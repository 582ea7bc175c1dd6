import type { ReactNode } from 'react'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { Badge, StateBadge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { Icon } from '../../../components/display/Icon.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { type UrlDetails, useApi } from '../../../server/api.ts'
import { shortUrl } from '../../../text/format.ts'
import { DecisionSteps } from './DecisionSteps.tsx'
import { PageVersions } from './PageVersions.tsx'
import { UrlFacts } from './UrlFacts.tsx'
import { Lineage, UrlLinks } from './UrlLinks.tsx'
import { VisitList } from './VisitList.tsx'

/** Everything that is known of one url. */
export function UrlDetailsDrawer({ crawlId, urlId, onClose }: { crawlId: string; urlId: number; onClose: () => void }) {
  const { data, error, refetch } = useApi('getUrl', { params: { crawl_id: crawlId, url_id: urlId } })
  return (
    <Drawer title={data === undefined ? 'Url' : shortUrl(data.url.url)} onClose={onClose}>
      {data === undefined && error === null ? <SkeletonRows rows={10} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : <UrlDetailsSections record={data} crawlId={crawlId} />}
    </Drawer>
  )
}

function UrlDetailsSections({ record, crawlId }: { record: UrlDetails; crawlId: string }) {
  const { url, explanation, robots, index } = record
  return (
    <div className="flex flex-col gap-5">
      <div>
        <div className="flex items-start gap-1">
          <p className="min-w-0 flex-1 font-mono text-xs leading-6 break-all">{url.url}</p>
          <CopyButton text={url.url} label="Copy the url" />
          {/^https?:/.test(url.url) ? (
            <a
              href={url.url}
              target="_blank"
              rel="noreferrer noopener"
              aria-label="Open in a new tab"
              title="Open in a new tab"
              className="grid h-6 w-6 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <Icon name="open" />
            </a>
          ) : null}
        </div>
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <StateBadge state={url.state} />
          {url.http_status === null ? null : <Badge>{url.http_status}</Badge>}
          {url.reason === null ? null : <Badge tone="warn">{url.reason.replaceAll('_', ' ')}</Badge>}
          {url.noindex ? <Badge>noindex</Badge> : null}
        </div>
        <p className="mt-2">{explanation.answer}</p>
      </div>
      <Section title="How it was found">
        <Lineage crawlId={crawlId} links={record.lineage} />
      </Section>
      <Section title="What was decided">
        <DecisionSteps steps={explanation.steps} line={robots.line} />
      </Section>
      <Section title={`Attempts (${record.visits.length})`}>
        <VisitList visits={record.visits} />
      </Section>
      <Section title="Facts">
        <UrlFacts url={url} index={index} />
      </Section>
      <Section title="Kept versions">
        <PageVersions pages={record.pages} />
      </Section>
      <Section title="Linked from">
        <UrlLinks crawlId={crawlId} links={record.inlinks} nobody="No page that was read links here." />
      </Section>
      <Section title="Links to">
        <UrlLinks crawlId={crawlId} links={record.outlinks} nobody="No links were taken from it." />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 text-xs font-semibold text-muted">{title}</h3>
      {children}
    </section>
  )
}
