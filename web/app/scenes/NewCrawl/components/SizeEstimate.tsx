import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../components/controls/Button.tsx'
import { client, errorMessage } from '../../../server/api.ts'
import { plural } from '../../../text/format.ts'
import type { NewCrawlBody } from '../useCrawlCheck.ts'

/** How large the site says it is. Asked for, since it makes requests to the site. */
export function SizeEstimate({ body, isReady }: { body: NewCrawlBody; isReady: boolean }) {
  const estimate = useMutation({
    mutationFn: (body: NewCrawlBody) => client.checkCrawl({ body: { ...body, estimate: true } }),
  })
  const isOfThis = JSON.stringify(estimate.variables) === JSON.stringify(body)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button icon="gauge" disabled={!isReady || estimate.isPending} onClick={() => estimate.mutate(body)}>
        Estimate the size
      </Button>
      <span role="status" className="text-muted">
        {isOfThis ? textOf(estimate) : 'Reads robots.txt and the sitemaps of the site, nothing else.'}
      </span>
    </div>
  )
}

type CheckResponse = Awaited<ReturnType<typeof client.checkCrawl>>

function textOf({
  isPending,
  error,
  data,
}: {
  isPending: boolean
  error: Error | null
  data: CheckResponse | undefined
}): string {
  if (isPending) return 'Reading the sitemaps'
  if (error !== null) return errorMessage(error)
  const found = data?.estimate ?? null
  if (found === null) return 'The site could not be asked.'
  if (found.sitemaps === 0) return 'The site has no sitemap, so its size is not known before the crawl.'
  const urls = `${plural(found.urls, 'url')} in ${plural(found.sitemaps, 'sitemap')}`
  return found.is_complete ? `The site lists ${urls}.` : `The site lists at least ${urls}; there is more than was read.`
}
