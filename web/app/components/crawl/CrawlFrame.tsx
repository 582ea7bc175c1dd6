import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useCrawl, useLiveCrawl } from '../../hooks/useCrawl.ts'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import { type Crawl, hasErrorCode } from '../../server/api.ts'
import { formatNumber, plural, shortUrl } from '../../text/format.ts'
import { isUnfinished } from '../../text/states.ts'
import { LinkButton } from '../controls/Button.tsx'
import { LinkTabs } from '../controls/Tabs.tsx'
import { Badge, StatusBadge } from '../display/Badge.tsx'
import { EmptyState, ErrorState } from '../display/EmptyState.tsx'
import { SceneSkeleton } from '../display/Skeleton.tsx'
import { usePageTitle } from '../shell/SceneHeader.tsx'
import { CrawlBar, pageLimit } from './CrawlBar.tsx'
import { CrawlControls } from './CrawlControls.tsx'

/** The frame of every crawl scene: title, status, progress, actions and tabs. */
export function CrawlFrame({ crawlId, children }: { crawlId: string; children: ReactNode }) {
  const { data: crawl, error, refetch } = useCrawl(crawlId)
  const liveTransport = useLiveCrawl(crawlId, crawl?.status)
  const [, navigate] = useLocation()
  const crawlHref = `/crawls/${crawlId}`
  const tabs = [
    { href: crawlHref, label: 'Overview', keys: '1' },
    { href: `${crawlHref}/urls`, label: 'URLs', keys: '2' },
    { href: `${crawlHref}/graph`, label: 'Graph', keys: '3' },
    { href: `${crawlHref}/hosts`, label: 'Hosts', keys: '4' },
    { href: `${crawlHref}/changes`, label: 'Changes', keys: '5' },
    { href: `${crawlHref}/audit`, label: 'Audit', keys: '6' },
  ]
  useShortcuts(tabs.map(({ href, label, keys }) => ({ keys, label: `Crawl: ${label}`, run: () => navigate(href) })))
  usePageTitle(crawl === undefined ? 'Crawl' : shortUrl(crawl.root_url))

  if (crawl === undefined) {
    if (hasErrorCode(error, 'CRAWL_NOT_FOUND')) return <CrawlNotFound crawlId={crawlId} />
    return error === null ? <SceneSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="shrink-0 border-b border-line bg-surface px-4 pt-3 md:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-1 basis-60 items-center gap-3">
            <h1 className="min-w-0 truncate text-base font-semibold" title={crawl.root_url}>
              {shortUrl(crawl.root_url)}
            </h1>
            <StatusBadge crawl={crawl} />
            {isUnfinished(crawl.status) && liveTransport === 'polling' ? (
              <Badge tone="warn">No live updates, refreshing every 3 s</Badge>
            ) : null}
          </div>
          <CrawlControls crawl={crawl} />
        </div>
        <div className="mt-2 flex items-center gap-3">
          <CrawlBar crawl={crawl} height="h-1.5" />
          <span className="shrink-0 text-xs text-muted tabular-nums">{progressText(crawl)}</span>
        </div>
        <LinkTabs label="Crawl" tabs={tabs} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  )
}

function progressText(crawl: Crawl): string {
  const limit = pageLimit(crawl)
  return limit === null ? plural(crawl.total, 'URL') : `${formatNumber(crawl.pages)} of ${plural(limit, 'page')}`
}

function CrawlNotFound({ crawlId }: { crawlId: string }) {
  return (
    <EmptyState icon="compass" title="Crawl not found" action={<LinkButton href="/">View all crawls</LinkButton>}>
      There is no crawl with the ID {crawlId}. It may have been deleted.
    </EmptyState>
  )
}
