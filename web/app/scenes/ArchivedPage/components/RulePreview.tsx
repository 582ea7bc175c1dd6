import { errorMessage, useApi } from '../../../server/api.ts'
import type { PickedPage } from './PickPanel.tsx'

export interface FieldRule {
  name: string
  selector: string
  attribute?: string
}

const OTHER_PAGES = 9

/** The values that a rule extracts from this page and from nine others of the crawl, pages of the same folder first. */
export function RulePreview({ page, rule }: { page: PickedPage; rule: FieldRule }) {
  const folder = page.url.slice(0, page.url.lastIndexOf('/') + 1)
  const params = { crawl_id: page.crawlId }
  const pages = { state: 'visited', type: 'text/html', limit: OTHER_PAGES + 1 } as const
  const near = useApi('listUrls', { params, query: { ...pages, text: folder } }, { staleTime: 60_000 })
  const any = useApi('listUrls', { params, query: pages }, { staleTime: 60_000 })
  const found = [...(near.data?.items ?? []), ...(any.data?.items ?? [])].map(({ url }) => url)
  const others = [...new Set(found)].filter((url) => url !== page.url).slice(0, OTHER_PAGES)
  return (
    <table className="w-full table-fixed text-left">
      <caption className="sr-only">What the selector extracts</caption>
      <thead>
        <tr className="text-muted">
          <th className="font-normal">Page</th>
          <th className="font-normal">Value</th>
        </tr>
      </thead>
      <tbody>
        <PreviewRow url={page.url} pageId={page.pageId} rule={rule} />
        {others.map((url) => (
          <OtherPage key={url} url={url} crawlId={page.crawlId} rule={rule} />
        ))}
      </tbody>
    </table>
  )
}

function OtherPage({ url, crawlId, rule }: { url: string; crawlId: string; rule: FieldRule }) {
  const { data, error } = useApi('findPages', { query: { url } }, { staleTime: 60_000 })
  const version = data?.items.findLast(({ crawl_id, is_kept }) => crawl_id === crawlId && is_kept)
  if (version !== undefined) return <PreviewRow url={url} pageId={version.page_id} rule={rule} />
  return <Row url={url} value={error === null ? (data === undefined ? '' : 'Not archived') : errorMessage(error)} />
}

function PreviewRow({ url, pageId, rule }: { url: string; pageId: number; rule: FieldRule }) {
  const input = { params: { page_id: pageId }, body: { rules: [{ ...rule }] } }
  const { data, error } = useApi('extractFromPage', input, { staleTime: 60_000 })
  if (error !== null) return <Row url={url} value={errorMessage(error)} isMuted />
  const [field] = data?.fields ?? []
  if (field === undefined) return <Row url={url} value="" />
  return <Row url={url} value={String(field.value ?? 'Not found')} isMuted={field.value === null} />
}

function Row({ url, value, isMuted = false }: { url: string; value: string; isMuted?: boolean }) {
  return (
    <tr>
      <td className="truncate pr-3">{url}</td>
      <td className={`truncate ${isMuted ? 'text-muted' : ''}`}>{value}</td>
    </tr>
  )
}
