import { SampleSiteButton, useHasSampleSite } from '../../../components/crawl/SampleSiteButton.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { usePageTitle } from '../../../components/shell/SceneHeader.tsx'
import { lazyComponent } from '../../../server/lazy-component.tsx'

const CrawlForm = lazyComponent(
  async () => (await import('../../NewCrawl/components/CrawlForm.tsx')).CrawlForm,
  <SkeletonRows rows={4} />,
)

/** Shown while there are no crawls: the form for a new crawl, and the sample site. */
export function FirstRun() {
  usePageTitle('Welcome')
  const hasSampleSite = useHasSampleSite()
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 px-4 py-12">
      <header className="flex items-center gap-3">
        <img src="/icon.svg" alt="" width="36" height="36" />
        <div>
          <h1 className="text-lg font-semibold">No crawls yet</h1>
          <p className="text-muted">Enter the URL of a site, or try Orbweaver on its sample site.</p>
        </div>
      </header>
      <CrawlForm isFirstRun initial={{ url: '', allow: null, from: null }} />
      {hasSampleSite ? (
        <Card title="Sample site">
          <p className="mb-3">
            Orbweaver serves the sample site on this machine, so you do not need the internet. Crawling it takes about
            ten seconds.
          </p>
          <SampleSiteButton />
        </Card>
      ) : null}
    </div>
  )
}
