import { LinkButton } from '../../../components/controls/Button.tsx'
import { ExportMenu } from '../../../components/crawl/ExportMenu.tsx'
import type { Crawl } from '../../../server/api.ts'

/** Actions on the results of a crawl that has ended. */
export function FinishedActions({ crawl, className }: { crawl: Crawl; className: string }) {
  return (
    <div className={`flex flex-wrap items-center gap-2 ${className}`}>
      {crawl.pages === 0 ? null : (
        <LinkButton href={`/find?crawl=${crawl.crawl_id}`} icon="search">
          Search these pages
        </LinkButton>
      )}
      <ExportMenu crawlId={crawl.crawl_id} side="left" />
      <LinkButton href={`/compare?b=${crawl.crawl_id}`} icon="compare">
        Compare
      </LinkButton>
      <LinkButton href={`/new?from=${crawl.crawl_id}`} icon="rerun">
        Run again with changes
      </LinkButton>
    </div>
  )
}
