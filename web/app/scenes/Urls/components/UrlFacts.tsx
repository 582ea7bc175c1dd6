import type { ReactNode } from 'react'
import type { Url, UrlDetails } from '../../../server/api.ts'
import { formatBytes, formatDateTime, formatNumber } from '../../../text/format.ts'

const KIND_LABELS: Record<Url['kind'], string> = { page: 'Page', sitemap: 'Sitemap', requisite: 'Page requisite' }

export function UrlFacts({ url, index }: { url: Url; index: UrlDetails['index'] }) {
  return (
    <dl className="grid grid-cols-[7rem_1fr] gap-x-3 gap-y-1">
      <Fact name="Title">{url.title}</Fact>
      <Fact name="Kind">{KIND_LABELS[url.kind]}</Fact>
      <Fact name="Content type">{url.content_type}</Fact>
      <Fact name="Size">{url.content_length === null ? null : formatBytes(url.content_length)}</Fact>
      <Fact name="Depth">{formatNumber(url.depth)}</Fact>
      <Fact name="Priority">{formatNumber(url.priority)}</Fact>
      <Fact name="Redirects to">{url.redirect_to}</Fact>
      <Fact name="Canonical">{url.canonical}</Fact>
      <Fact name="IP address">{url.ip}</Fact>
      <Fact name="Proxy">{url.proxy}</Fact>
      <Fact name="Content hash">{url.content_hash}</Fact>
      <Fact name="Discovered">{formatDateTime(new Date(url.first_seen_at))}</Fact>
      <Fact name="Visited">{url.visited_at === null ? null : formatDateTime(new Date(url.visited_at))}</Fact>
      <Fact name="Index">{index.detail}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null) return null
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-all">{children}</dd>
    </>
  )
}
