import { useState } from 'react'
import { Select } from '../../../components/controls/Input.tsx'
import { Tabs } from '../../../components/controls/Tabs.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { TextDiff } from '../../../components/display/TextDiff.tsx'
import { routeUrl, type UrlDetails, useApi } from '../../../server/api.ts'
import { formatDateTime } from '../../../text/format.ts'

type View = 'text' | 'headers' | 'changes'

/** What was kept of a page. Shown as text only: nothing that was crawled is ever read as HTML by this page. */
export function PageVersions({ pages }: { pages: UrlDetails['pages'] }) {
  // They come in the order of their versions; the newest is the one to look at first.
  const newestFirst = pages.toReversed()
  const [pageId, setPageId] = useState(newestFirst[0]?.page_id)
  const [view, setView] = useState<View>('text')
  const chosen = pages.find((page) => page.page_id === pageId)
  if (chosen === undefined) return <p className="text-muted">Nothing was kept of it.</p>
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Version"
          className="w-auto"
          value={pageId}
          onChange={(event) => setPageId(Number(event.target.value))}
        >
          {newestFirst.map((page) => (
            <option key={page.page_id} value={page.page_id}>
              Version {page.version}, {formatDateTime(new Date(page.visited_at))}
            </option>
          ))}
        </Select>
        {chosen.is_kept ? (
          <a
            download
            href={routeUrl('getPageRaw', { params: { page_id: chosen.page_id } })}
            className="text-accent hover:underline"
          >
            Download the bytes
          </a>
        ) : null}
      </div>
      {chosen.note === null ? null : <p className="text-muted">{chosen.note}</p>}
      <Tabs
        label="Views of the version"
        tabs={[
          { id: 'text', label: 'Text' },
          { id: 'headers', label: 'Headers' },
          { id: 'changes', label: 'Changes' },
        ]}
        current={view}
        onChoose={setView}
      />
      {view === 'changes' ? <Changes pageId={chosen.page_id} /> : <PageContent pageId={chosen.page_id} view={view} />}
    </div>
  )
}

function PageContent({ pageId, view }: { pageId: number; view: 'text' | 'headers' }) {
  const { data, error } = useApi('getPage', { params: { page_id: pageId } }, { staleTime: 60_000 })
  if (error !== null) return <ErrorState error={error} />
  if (data === undefined) return <SkeletonRows rows={4} />
  const text =
    view === 'text'
      ? data.text_content
      : Object.entries(data.headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')
  return (
    <ScrollArea
      label={view === 'text' ? 'Text of the page' : 'Headers of the answer'}
      className="max-h-96 rounded border border-line bg-sunken"
    >
      <pre className="p-2 font-mono text-xs break-words whitespace-pre-wrap">
        {text === '' ? 'There is no text.' : text}
      </pre>
    </ScrollArea>
  )
}

function Changes({ pageId }: { pageId: number }) {
  const { data, error } = useApi('getPageHistory', { params: { page_id: pageId } }, { staleTime: 60_000 })
  if (error !== null) return <ErrorState error={error} />
  if (data === undefined) return <SkeletonRows rows={4} />
  if (data.diff === null) return <p className="text-muted">There is no version before it to compare with.</p>
  return <TextDiff parts={data.diff} />
}
