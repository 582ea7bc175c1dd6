import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { CrawlFrame } from './components/crawl/CrawlFrame.tsx'
import { EmptyState } from './components/display/EmptyState.tsx'
import { SceneSkeleton } from './components/display/Skeleton.tsx'
import { ErrorBoundary } from './components/shell/ErrorBoundary.tsx'
import { Shell } from './components/shell/Shell.tsx'
import { lazyComponent } from './server/lazy-component.ts'

const Crawls = lazyComponent(async () => (await import('./scenes/Crawls/Crawls.tsx')).Crawls)
const NewCrawl = lazyComponent(async () => (await import('./scenes/NewCrawl/NewCrawl.tsx')).NewCrawl)
const Overview = lazyComponent(async () => (await import('./scenes/Overview/Overview.tsx')).Overview)
const Urls = lazyComponent(async () => (await import('./scenes/Urls/Urls.tsx')).Urls)
const Changes = lazyComponent(async () => (await import('./scenes/Changes/Changes.tsx')).Changes)
const Audit = lazyComponent(async () => (await import('./scenes/Audit/Audit.tsx')).Audit)
const Graph = lazyComponent(async () => (await import('./scenes/Graph/Graph.tsx')).Graph)
const Hosts = lazyComponent(async () => (await import('./scenes/Hosts/Hosts.tsx')).Hosts)
const Search = lazyComponent(async () => (await import('./scenes/Search/Search.tsx')).Search)
const Compare = lazyComponent(async () => (await import('./scenes/Compare/Compare.tsx')).Compare)
const Monitors = lazyComponent(async () => (await import('./scenes/Monitors/Monitors.tsx')).Monitors)
const Monitor = lazyComponent(async () => (await import('./scenes/Monitors/Monitor.tsx')).Monitor)
const ArchivedPage = lazyComponent(async () => (await import('./scenes/ArchivedPage/ArchivedPage.tsx')).ArchivedPage)
const Workers = lazyComponent(async () => (await import('./scenes/Workers/Workers.tsx')).Workers)
const Settings = lazyComponent(async () => (await import('./scenes/Settings/Settings.tsx')).Settings)

export function App() {
  return (
    <Shell>
      <ErrorBoundary>
        <Suspense fallback={<SceneSkeleton />}>
          <Switch>
            <Route path="/" component={Crawls} />
            <Route path="/new" component={NewCrawl} />
            <Route path="/crawls/:id/:tab?">
              {({ id, tab }) => (
                <CrawlFrame crawlId={id}>
                  <CrawlScene crawlId={id} tab={tab} />
                </CrawlFrame>
              )}
            </Route>
            <Route path="/find" component={Search} />
            <Route path="/compare" component={Compare} />
            <Route path="/monitors" component={Monitors} />
            <Route path="/monitors/:id">{({ id }) => <Monitor key={id} monitorId={id} />}</Route>
            <Route path="/pages/:id">{({ id }) => <ArchivedPage key={id} pageId={Number(id)} />}</Route>
            <Route path="/workers" component={Workers} />
            <Route path="/settings" component={Settings} />
            <Route>
              <NotFoundScene />
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Shell>
  )
}

/** The key remounts a scene for each crawl, so no state leaks from one crawl to another. */
function CrawlScene({ crawlId, tab }: { crawlId: string; tab: string | undefined }) {
  switch (tab) {
    case undefined:
      return <Overview key={crawlId} crawlId={crawlId} />
    case 'urls':
      return <Urls key={crawlId} crawlId={crawlId} />
    case 'audit':
      return <Audit key={crawlId} crawlId={crawlId} />
    case 'changes':
      return <Changes key={crawlId} crawlId={crawlId} />
    case 'graph':
      return <Graph key={crawlId} crawlId={crawlId} />
    case 'hosts':
      return <Hosts key={crawlId} crawlId={crawlId} />
    default:
      return <NotFoundScene />
  }
}

function NotFoundScene() {
  return (
    <EmptyState icon="compass" title="Not found">
      There is nothing at this URL. Use the navigation, or press <kbd>?</kbd> for keyboard shortcuts.
    </EmptyState>
  )
}
