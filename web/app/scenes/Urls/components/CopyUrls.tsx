import { useMutation } from '@tanstack/react-query'
import { client, messageOf } from '../../../api.ts'
import { Button } from '../../../components/Button.tsx'
import { formatNumber, plural } from '../../../format.ts'
import { showToast } from '../../../toasts.ts'
import { type Filters, toQuery } from '../filters.ts'

/** More than this belongs in a file. */
const MOST = 10_000

/** The addresses of the current filter, one on each line. */
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
          ? `${plural(count, 'url')} copied.`
          : `The first ${formatNumber(count)} urls copied. Export has them all.`,
      ),
    onError: (error) => showToast(`Nothing was copied. ${messageOf(error)}`, 'bad'),
  })
  return (
    <Button icon="copy" disabled={copy.isPending} onClick={() => copy.mutate()}>
      Copy
    </Button>
  )
}

async function readUrls(crawlId: string, filters: Filters): Promise<{ urls: string[]; isAll: boolean }> {
  const urls: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof client.listUrls>> = await client.listUrls({
      params: { crawl_id: crawlId },
      query: { ...toQuery(filters), limit: 1000, ...(cursor === null ? {} : { cursor }) },
    })
    for (const { url } of page.items) urls.push(url)
    cursor = page.next_cursor
  } while (cursor !== null && urls.length < MOST)
  return { urls, isAll: cursor === null }
}
