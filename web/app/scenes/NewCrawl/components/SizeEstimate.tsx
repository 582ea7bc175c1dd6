import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../components/controls/Button.tsx'
import { client, errorMessage } from '../../../server/api.ts'
import { formatDuration, plural } from '../../../text/format.ts'
import type { NewCrawlBody } from '../useCrawlCheck.ts'

/** Estimates the size of the site from its sitemaps. Only on click, since it sends requests to the site. */
export function SizeEstimate({ body, isReady }: { body: NewCrawlBody; isReady: boolean }) {
  const estimate = useMutation({
    mutationFn: (body: NewCrawlBody) => client.checkCrawl({ body: { ...body, estimate: true } }),
  })
  const isCurrent = JSON.stringify(estimate.variables) === JSON.stringify(body)
  return (
    <div className="mt-2 flex flex-wrap items-center gap-3">
      <Button icon="gauge" disabled={!isReady || estimate.isPending} onClick={() => estimate.mutate(body)}>
        Estimate size
      </Button>
      <span role="status" className="text-muted">
        {isCurrent ? estimateText(estimate) : 'Fetches only robots.txt and sitemaps.'}
      </span>
    </div>
  )
}

type CheckResponse = Awaited<ReturnType<typeof client.checkCrawl>>

function estimateText({
  isPending,
  error,
  data,
}: {
  isPending: boolean
  error: Error | null
  data: CheckResponse | undefined
}): string {
  if (isPending) return 'Reading sitemaps…'
  if (error !== null) return errorMessage(error)
  const found = data?.estimate ?? null
  if (found === null) return 'No estimate: the site could not be reached.'
  if (found.sitemaps === 0) return 'No estimate: the site has no sitemap.'
  const urls = `${plural(found.urls, 'URL')} in ${plural(found.sitemaps, 'sitemap')}`
  const pace =
    found.seconds === null ? '' : ` About ${formatDuration(Math.max(1, found.seconds) * 1000)} at the pace of the site.`
  return found.is_complete ? `${urls}.${pace}` : `At least ${urls}. Not all sitemaps were read.`
}
