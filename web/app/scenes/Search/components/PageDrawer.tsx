import { type ReactNode, useState } from 'react'
import { LinkButton } from '../../../components/controls/Button.tsx'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { Tabs } from '../../../components/controls/Tabs.tsx'
import { Drawer } from '../../../components/dialogs/Dialog.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { archivedPageHref, urlsHref } from '../../../page/navigation.ts'
import { useApi } from '../../../server/api.ts'
import { formatNumber } from '../../../text/format.ts'
import { VersionList } from './VersionList.tsx'

const TABS = [
  { id: 'text', label: 'Text' },
  { id: 'details', label: 'Details' },
  { id: 'links', label: 'Links' },
  { id: 'versions', label: 'Versions' },
] as const
type Tab = (typeof TABS)[number]['id']

/** An archived page as text. It is untrusted and never interpreted. */
export function PageDrawer({
  pageId,
  onClose,
  onOpen,
}: {
  pageId: number
  onClose: () => void
  onOpen: (pageId: number) => void
}) {
  const [tab, setTab] = useState<Tab>('text')
  const page = useApi('getPage', { params: { page_id: pageId }, query: {} })
  const title = page.data?.metadata.title ?? page.data?.final_url ?? 'Page'
  return (
    <Drawer title={title} onClose={onClose}>
      {page.isPending ? <SkeletonRows /> : null}
      {page.isError ? <ErrorState error={page.error} onRetry={() => void page.refetch()} /> : null}
      {page.data === undefined ? null : (
        <div className="flex flex-col gap-3">
          <div className="flex items-center gap-1">
            <a
              href={page.data.final_url}
              target="_blank"
              rel="noreferrer noopener"
              className="min-w-0 flex-1 break-all text-accent underline"
            >
              {page.data.final_url}
            </a>
            <CopyButton text={page.data.final_url} label="Copy URL" />
          </div>
          <div className="flex flex-wrap gap-2">
            <LinkButton icon="crawls" href={urlsHref(page.data.crawl_id, { text: page.data.original_url })}>
              View in crawl
            </LinkButton>
            <LinkButton icon="open" href={archivedPageHref(pageId)}>
              View archived page
            </LinkButton>
            <a
              href={`/api/v1/pages/${pageId}/raw`}
              download
              className="inline-flex h-8 items-center rounded-md border border-line px-2.5 font-medium hover:bg-hover"
            >
              Download body
            </a>
          </div>
          <Tabs label="Page" tabs={TABS} current={tab} onSelect={setTab} />
          {tab === 'text' ? <Text text={page.data.text_content} /> : null}
          {tab === 'details' ? <PageDetails page={page.data} /> : null}
          {tab === 'links' ? <Links links={page.data.links} /> : null}
          {tab === 'versions' ? <VersionList pageId={pageId} onOpen={onOpen} /> : null}
        </div>
      )}
    </Drawer>
  )
}

type PageRecord = NonNullable<ReturnType<typeof useApi<'getPage'>>['data']>

function Text({ text }: { text: string }) {
  if (text.trim() === '') return <EmptyState title="No visible text" />
  return <p className="break-words whitespace-pre-wrap">{text}</p>
}

function PageDetails({ page }: { page: PageRecord }) {
  const { metadata } = page
  const facts: [string, ReactNode][] = [
    ['Visited', <RelativeTime key="visited" at={page.crawl_timestamp} />],
    ['Version', formatNumber(page.version)],
    ['Status', page.http_status],
    ['Type', page.content_type],
    ['Words', page.word_count === null ? null : formatNumber(page.word_count)],
    ['Pages', metadata.page_count],
    ['Description', metadata.description],
    ['Author', metadata.author],
    ['Keywords', metadata.keywords.join(', ')],
    ['Requested URL', page.original_url === page.final_url ? null : page.original_url],
    ['Hash', page.content_hash],
    ['Crawl', page.crawl_id],
    ...Object.entries(page.headers).map(([name, value]): [string, ReactNode] => [name.toLowerCase(), value]),
  ]
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1.5">
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function Links({ links }: { links: PageRecord['links'] }) {
  if (links.length === 0) return <EmptyState icon="link" title="No links" />
  return (
    <ul className="flex flex-col gap-1.5">
      {links.slice(0, 500).map((link, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page may link to the same URL twice
        <li key={i} className="min-w-0">
          <span className="block truncate">{link.anchor_text === '' ? '(no text)' : link.anchor_text}</span>
          <span className="block truncate text-xs text-muted">{link.url}</span>
        </li>
      ))}
      {links.length > 500 ? <li className="text-muted">{formatNumber(links.length - 500)} more</li> : null}
    </ul>
  )
}
