import { useMutation } from '@tanstack/react-query'
import { Button } from '../../../components/controls/Button.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage } from '../../../server/api.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import { type Filters, toUrlQuery } from '../filters.ts'

/** Longer lists should be exported. */
const MAX_URLS = 10_000

/** Copies the URLs of the current filter, one per line. */
export function CopyUrls({ crawlId, filters }: { crawlId: string; filters: Filters }) {
  const copy = useMutation({
    mutationFn: async () => {
      const { urls, isAll } = await readUrls(crawlId, filters)
      await navigator.clipboard.writeText(urls.join('\n'))
      return { count: urls.length, isAll }
    },
    onSuccess: ({ count, isAll }) =>
      showToast(
        isAll
          ? `${plural(count, 'URL')} copied.`
          : `First ${formatNumber(count)} URLs copied. Use Export to get all of them.`,
      ),
    onError: (error) => showToast(`Copying failed. ${errorMessage(error)}`, 'bad'),
  })
  return (
    <Button icon="copy" disabled={copy.isPending} onClick={() => copy.mutate()}>
      Copy URLs
    </Button>
  )
}

async function readUrls(crawlId: string, filters: Filters): Promise<{ urls: string[]; isAll: boolean }> {
  const urls: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof client.listUrls>> = await client.listUrls({
      params: { crawl_id: crawlId },
      query: { ...toUrlQuery(filters), limit: 1000, ...(cursor === null ? {} : { cursor }) },
    })
    for (const { url } of page.items) urls.push(url)
    cursor = page.next_cursor
  } while (cursor !== null && urls.length < MAX_URLS)
  return { urls, isAll: cursor === null }
}
