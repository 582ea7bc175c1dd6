import { useSearchParams } from 'wouter'
import { LinkButton } from '../../components/controls/Button.tsx'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { useApi } from '../../server/api.ts'
import { missingSitemapText } from '../../text/missing-sitemap.ts'
import { holdText, silenceText } from '../../text/reasons.ts'
import { isEditable, isUnfinished } from '../../text/states.ts'
import { BottleneckCard } from './components/BottleneckCard.tsx'
import { ChangesCard } from './components/ChangesCard.tsx'
import { CrawlSetup } from './components/CrawlSetup.tsx'
import { Depths, FetchTimes, Reasons, StatusCodes } from './components/Distributions.tsx'
import { EditCrawlDialog } from './components/EditCrawlDialog.tsx'
import { EmptyPagesNotice } from './components/EmptyPagesNotice.tsx'
import { ExcludedPatterns } from './components/ExcludedPatterns.tsx'
import { FailedStartUrls } from './components/FailedStartUrls.tsx'
import { FinishedActions } from './components/FinishedActions.tsx'
import { LedgerCard } from './components/LedgerCard.tsx'
import { NothingVisitedNotice } from './components/NothingVisitedNotice.tsx'
import { Notice } from './components/Notice.tsx'
import { ProgressCharts } from './components/ProgressCharts.tsx'
import { RecentErrors } from './components/RecentErrors.tsx'
import { StatTiles } from './components/StatTiles.tsx'
import { TopHosts } from './components/TopHosts.tsx'

const STATS_INTERVAL_MS = 3000

export function Overview({ crawlId }: { crawlId: string }) {
  const { data: crawl } = useCrawl(crawlId)
  const [query, setQuery] = useSearchParams()
  const canEdit = useHasScope('crawl')
  const refetchInterval = crawl !== undefined && isUnfinished(crawl.status) ? STATS_INTERVAL_MS : false
  const stats = useApi('getStats', { params: { crawl_id: crawlId } }, { refetchInterval })
  if (crawl === undefined) return null
  const missingSitemap = missingSitemapText(crawl)
  const edit = canEdit ? (field: string): void => setQuery({ edit: field }) : null

  return (
    <div className="grid gap-3 p-4 md:p-6 lg:grid-cols-6">
      {crawl.held === null ? null : (
        <Notice className="lg:col-span-6">
          <p>{holdText(crawl.held)}</p>
          {crawl.held === 'no_worker' ? <LinkButton href="/workers">View workers</LinkButton> : null}
        </Notice>
      )}
      {crawl.silent_hosts === null ? null : (
        <Notice className="lg:col-span-6">
          <p>Waiting for the site: {silenceText(crawl.silent_hosts)}. The crawl tries again by itself.</p>
          <LinkButton href={`/crawls/${crawlId}/hosts`}>View hosts</LinkButton>
        </Notice>
      )}
      <NothingVisitedNotice crawl={crawl} className="lg:col-span-6" />
      <FailedStartUrls crawl={crawl} className="lg:col-span-6" />
      {missingSitemap === null ? null : <Notice className="lg:col-span-6">{missingSitemap}</Notice>}
      <EmptyPagesNotice crawl={crawl} stats={stats.data} className="lg:col-span-6" />
      <ExcludedPatterns crawlId={crawlId} refetchInterval={refetchInterval} className="lg:col-span-6" />
      <StatTiles crawl={crawl} className="lg:col-span-6" />
      {isUnfinished(crawl.status) ? null : <FinishedActions crawl={crawl} className="lg:col-span-6" />}
      <div className="flex min-w-0 flex-col gap-3 lg:col-span-4">
        <LedgerCard crawl={crawl} stats={stats.data} />
        <ChangesCard crawl={crawl} refetchInterval={refetchInterval} />
        <CrawlSetup crawl={crawl} />
      </div>
      {isUnfinished(crawl.status) ? (
        <BottleneckCard crawl={crawl} className="lg:col-span-2" onEdit={edit} />
      ) : (
        <Reasons crawl={crawl} stats={stats.data} className="self-start lg:col-span-2" />
      )}
      <ProgressCharts crawl={crawl} className="lg:col-span-6" />
      <RecentErrors
        crawlId={crawlId}
        refetchInterval={refetchInterval}
        className={isUnfinished(crawl.status) ? 'lg:col-span-4' : 'lg:col-span-6'}
      />
      {isUnfinished(crawl.status) ? <Reasons crawl={crawl} stats={stats.data} className="lg:col-span-2" /> : null}
      <StatusCodes crawlId={crawlId} stats={stats.data} className="lg:col-span-2" />
      <Depths crawlId={crawlId} stats={stats.data} className="lg:col-span-2" />
      <FetchTimes stats={stats.data} className="lg:col-span-2" />
      <TopHosts crawlId={crawlId} stats={stats.data} className="lg:col-span-6" />
      {query.has('edit') && canEdit && isEditable(crawl.status) ? (
        <EditCrawlDialog crawl={crawl} field={query.get('edit') ?? ''} onClose={() => setQuery({})} />
      ) : null}
    </div>
  )
}
