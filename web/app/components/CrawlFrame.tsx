import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { isCode } from '../api.ts'
import { plural, shortUrl } from '../format.ts'
import { useCrawl, useLiveCrawl } from '../hooks/useCrawl.ts'
import { useShortcuts } from '../hooks/useShortcuts.ts'
import { isLive } from '../states.ts'
import { Badge, StatusBadge } from './Badge.tsx'
import { LinkButton } from './Button.tsx'
import { CrawlControls } from './CrawlControls.tsx'
import { EmptyState, ErrorState } from './EmptyState.tsx'
import { LedgerBar } from './LedgerBar.tsx'
import { usePageTitle } from './SceneHeader.tsx'
import { SceneSkeleton } from './Skeleton.tsx'
import { LinkTabs } from './Tabs.tsx'

/** The head of every scene of a crawl: what it is, how far it is, what can be done with it. */
export function CrawlFrame({ crawlId, children }: { crawlId: string; children: ReactNode }) {
  const { data: crawl, error, refetch } = useCrawl(crawlId)
  const link = useLiveCrawl(crawlId, crawl?.status)
  const [, navigate] = useLocation()
  const at = `/crawls/${crawlId}`
  const tabs = [
    { href: at, label: 'Overview', keys: '1' },
    { href: `${at}/urls`, label: 'Urls', keys: '2' },
    { href: `${at}/graph`, label: 'Graph', keys: '3' },
    { href: `${at}/hosts`, label: 'Hosts', keys: '4' },
  ]
  useShortcuts(
    tabs.map(({ href, label, keys }) => ({ keys, label: `${label} of this crawl`, run: () => navigate(href) })),
  )
  usePageTitle(crawl === undefined ? 'Crawl' : shortUrl(crawl.root_url))

  if (crawl === undefined) {
    if (isCode(error, 'CRAWL_NOT_FOUND')) return <NoCrawl crawlId={crawlId} />
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
            {isLive(crawl.status) && link === 'polling' ? (
              <Badge tone="warn">no live link, asking every 3 s</Badge>
            ) : null}
          </div>
          <CrawlControls crawl={crawl} />
        </div>
        <div className="mt-2 flex items-center gap-3">
          <LedgerBar states={crawl.states} height="h-1.5" />
          <span className="shrink-0 text-xs text-muted">{plural(crawl.total, 'url')}</span>
        </div>
        <LinkTabs label="Views of the crawl" tabs={tabs} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  )
}

function NoCrawl({ crawlId }: { crawlId: string }) {
  return (
    <EmptyState icon="compass" title="There is no such crawl" action={<LinkButton href="/">All crawls</LinkButton>}>
      No crawl has the id {crawlId}. It may have been deleted.
    </EmptyState>
  )
}
