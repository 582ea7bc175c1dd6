import { type ComponentType, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { CrawlFrame } from './components/crawl/CrawlFrame.tsx'
import { EmptyState } from './components/display/EmptyState.tsx'
import { SceneSkeleton } from './components/display/Skeleton.tsx'
import { ErrorBoundary } from './components/shell/ErrorBoundary.tsx'
import { Shell } from './components/shell/Shell.tsx'
import { lazyComponent } from './server/lazy-component.tsx'

const lazyScene = <P extends object>(load: () => Promise<ComponentType<P>>) => lazyComponent(load, <SceneSkeleton />)

const Crawls = lazyScene(async () => (await import('./scenes/Crawls/Crawls.tsx')).Crawls)
const NewCrawl = lazyScene(async () => (await import('./scenes/NewCrawl/NewCrawl.tsx')).NewCrawl)
const Overview = lazyScene(async () => (await import('./scenes/Overview/Overview.tsx')).Overview)
const Urls = lazyScene(async () => (await import('./scenes/Urls/Urls.tsx')).Urls)
const Changes = lazyScene(async () => (await import('./scenes/Changes/Changes.tsx')).Changes)
const Audit = lazyScene(async () => (await import('./scenes/Audit/Audit.tsx')).Audit)
const Graph = lazyScene(async () => (await import('./scenes/Graph/Graph.tsx')).Graph)
const Hosts = lazyScene(async () => (await import('./scenes/Hosts/Hosts.tsx')).Hosts)
const Search = lazyScene(async () => (await import('./scenes/Search/Search.tsx')).Search)
const Compare = lazyScene(async () => (await import('./scenes/Compare/Compare.tsx')).Compare)
const Monitors = lazyScene(async () => (await import('./scenes/Monitors/Monitors.tsx')).Monitors)
const Monitor = lazyScene(async () => (await import('./scenes/Monitors/Monitor.tsx')).Monitor)
const ArchivedPage = lazyScene(async () => (await import('./scenes/ArchivedPage/ArchivedPage.tsx')).ArchivedPage)
const Workers = lazyScene(async () => (await import('./scenes/Workers/Workers.tsx')).Workers)
const Settings = lazyScene(async () => (await import('./scenes/Settings/Settings.tsx')).Settings)

export function App() {
  const [location] = useLocation()
  return (
    <Shell>
      <ErrorBoundary resetKey={location}>
        <Switch>
          <Route path="/" component={Crawls} />
          <Route path="/new" component={NewCrawl} />
          <Route path="/crawls/:id/:tab?">{({ id, tab }) => <CrawlRoute crawlId={id} tab={tab} />}</Route>
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
      </ErrorBoundary>
    </Shell>
  )
}

const CRAWL_SCENES = new Map([
  ['', Overview],
  ['urls', Urls],
  ['audit', Audit],
  ['changes', Changes],
  ['graph', Graph],
  ['hosts', Hosts],
])

/** The key remounts a scene for each crawl, so no state leaks from one crawl to another. */
function CrawlRoute({ crawlId, tab = '' }: { crawlId: string; tab: string | undefined }) {
  const Scene = CRAWL_SCENES.get(tab)
  // The frame shows its scene after the crawl has loaded. Preloading makes both load at the same time.
  useEffect(() => Scene?.preload(), [Scene])
  return (
    <CrawlFrame crawlId={crawlId}>
      {Scene === undefined ? <NotFoundScene /> : <Scene key={crawlId} crawlId={crawlId} />}
    </CrawlFrame>
  )
}

function NotFoundScene() {
  return (
    <EmptyState icon="compass" title="Not found">
      There is nothing at this URL. Use the navigation, or press <kbd>?</kbd> for keyboard shortcuts.
    </EmptyState>
  )
}
