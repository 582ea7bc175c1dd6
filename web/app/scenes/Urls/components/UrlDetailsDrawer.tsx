import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { Badge, StateBadge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { changesHref } from '../../../page/navigation.ts'
import { type UrlDetails, useApi } from '../../../server/api.ts'
import { shortUrl } from '../../../text/format.ts'
import { reasonText } from '../../../text/reasons.ts'
import { DecisionSteps } from './DecisionSteps.tsx'
import { PageVersions } from './PageVersions.tsx'
import { UrlFacts } from './UrlFacts.tsx'
import { Lineage, UrlLinks } from './UrlLinks.tsx'
import { VisitList } from './VisitList.tsx'

/** Everything known about one URL. */
export function UrlDetailsDrawer({ crawlId, urlId, onClose }: { crawlId: string; urlId: number; onClose: () => void }) {
  const { data, error, refetch } = useApi('getUrl', { params: { crawl_id: crawlId, url_id: urlId } })
  return (
    <Drawer title={data === undefined ? 'URL' : shortUrl(data.url.url)} onClose={onClose}>
      {data === undefined && error === null ? <SkeletonRows rows={10} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : <UrlDetailsSections details={data} crawlId={crawlId} />}
    </Drawer>
  )
}

function UrlDetailsSections({ details, crawlId }: { details: UrlDetails; crawlId: string }) {
  const { url, explanation, robots, index } = details
  return (
    <div className="flex flex-col gap-5">
      <div>
        <ExternalUrl url={url.url} />
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <StateBadge state={url.state} />
          {url.http_status === null ? null : <Badge>{url.http_status}</Badge>}
          {url.reason === null ? null : <Badge tone="warn">{reasonText(url.reason)}</Badge>}
          {url.noindex ? <Badge>noindex</Badge> : null}
          {details.pages.length > 1 ? (
            <Link href={changesHref(crawlId, { url: url.url })} className="text-accent hover:underline">
              Changes
            </Link>
          ) : null}
        </div>
        <p className="mt-2">{explanation.answer}</p>
      </div>
      <Section title="Discovery path">
        <Lineage crawlId={crawlId} links={details.lineage} />
      </Section>
      <Section title="Crawl decision">
        <DecisionSteps steps={explanation.steps} line={robots.line} />
      </Section>
      <Section title={`Attempts (${details.visits.length})`}>
        <VisitList visits={details.visits} />
      </Section>
      <Section title="Details">
        <UrlFacts url={url} index={index} />
      </Section>
      <Section title="Archived versions">
        <PageVersions pages={details.pages} />
      </Section>
      <Section title="Linked from">
        <UrlLinks crawlId={crawlId} links={details.inlinks} emptyText="No crawled page links here." />
      </Section>
      <Section title="Links to">
        <UrlLinks crawlId={crawlId} links={details.outlinks} emptyText="No links." />
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
