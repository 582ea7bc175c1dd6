import { useMutation } from '@tanstack/react-query'
import { Menu, MenuItem } from '../../../components/controls/Menu.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, type Url } from '../../../server/api.ts'
import { toCsv } from '../../../text/csv.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import type { Column } from '../columns.tsx'
import type { UrlQuery } from '../filters.ts'

/** Longer lists should be exported. */
const MAX_URLS = 10_000

/** Copies the list as it is shown: the URLs, one per line, or the shown columns as CSV. */
export function CopyMenu({
  crawlId,
  query,
  columns,
}: {
  crawlId: string
  /** The filters and the order of the list. */
  query: UrlQuery
  columns: readonly Column[]
}) {
  const copy = useMutation({
    mutationFn: async (toText: (urls: readonly Url[]) => string) => {
      const { urls, isAll } = await readUrls(crawlId, query)
      await navigator.clipboard.writeText(toText(urls))
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
  const asLines = (urls: readonly Url[]): string => urls.map(({ url }) => url).join('\n')
  const asCsv = (urls: readonly Url[]): string =>
    toCsv([
      ['URL', ...columns.map(({ label }) => label)],
      ...urls.map((url) => [url.url, ...columns.map(({ value }) => value(url))]),
    ])
  return (
    <Menu label="Copy" icon="copy">
      {(close) => (
        <>
          {(
            [
              ['Copy URLs', asLines],
              ['Copy table as CSV', asCsv],
            ] as const
          ).map(([label, toText]) => (
            <MenuItem
              key={label}
              disabled={copy.isPending}
              onSelect={() => {
                close()
                copy.mutate(toText)
              }}
            >
              {label}
            </MenuItem>
          ))}
        </>
      )}
    </Menu>
  )
}

async function readUrls(crawlId: string, query: UrlQuery): Promise<{ urls: Url[]; isAll: boolean }> {
  const urls: Url[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof client.listUrls>> = await client.listUrls({
      params: { crawl_id: crawlId },
      query: { ...query, limit: 1000, ...(cursor === null ? {} : { cursor }) },
    })
    urls.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null && urls.length < MAX_URLS)
  return { urls: urls.slice(0, MAX_URLS), isAll: cursor === null && urls.length <= MAX_URLS }
}
