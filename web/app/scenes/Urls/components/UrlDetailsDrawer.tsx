import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { StepDrawer } from '../../../components/dialogs/StepDrawer.tsx'
import { Badge, StateBadge } from '../../../components/display/Badge.tsx'
import { ExternalUrl } from '../../../components/display/ExternalUrl.tsx'
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
export function UrlDetailsDrawer({
  crawlId,
  urlId,
  onPrevious,
  onNext,
  onClose,
}: {
  crawlId: string
  urlId: number
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}) {
  const query = useApi('getUrl', { params: { crawl_id: crawlId, url_id: urlId } })
  return (
    <StepDrawer
      noun="URL"
      title={query.data === undefined ? 'URL' : shortUrl(query.data.url.url)}
      query={query}
      onPrevious={onPrevious}
      onNext={onNext}
      onClose={onClose}
    >
      {(details) => <UrlDetailsSections key={urlId} details={details} crawlId={crawlId} />}
    </StepDrawer>
  )
}

function UrlDetailsSections({ details, crawlId }: { details: UrlDetails; crawlId: string }) {
  const { url, explanation, robots, index } = details
  return (
    <div className="flex flex-col gap-5">
      <div>
        <ExternalUrl url={url.url} />
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <StateBadge state={url.state} reason={url.reason} />
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
