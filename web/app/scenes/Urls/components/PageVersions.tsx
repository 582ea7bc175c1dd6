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

/** The archived versions of a page. Shown as text only: crawled content is never interpreted as HTML. */
export function PageVersions({ pages }: { pages: UrlDetails['pages'] }) {
  // The API returns the oldest version first.
  const newestFirst = pages.toReversed()
  const [pageId, setPageId] = useState(newestFirst[0]?.page_id)
  const [view, setView] = useState<View>('text')
  const selected = pages.find((page) => page.page_id === pageId)
  if (selected === undefined) return <p className="text-muted">No archived versions.</p>
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
        {selected.is_kept ? (
          <a
            download
            href={routeUrl('getPageRaw', { params: { page_id: selected.page_id } })}
            className="text-accent hover:underline"
          >
            Download body
          </a>
        ) : null}
      </div>
      {selected.note === null ? null : <p className="text-muted">{selected.note}</p>}
      <Tabs
        label="Content of the version"
        tabs={[
          { id: 'text', label: 'Text' },
          { id: 'headers', label: 'Headers' },
          { id: 'changes', label: 'Changes' },
        ]}
        current={view}
        onSelect={setView}
      />
      {view === 'changes' ? (
        <Changes pageId={selected.page_id} />
      ) : (
        <PageContent pageId={selected.page_id} view={view} />
      )}
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
      label={view === 'text' ? 'Page text' : 'Response headers'}
      className="max-h-96 rounded border border-line bg-sunken"
    >
      <pre className="p-2 font-mono text-xs break-words whitespace-pre-wrap">{text === '' ? 'No text.' : text}</pre>
    </ScrollArea>
  )
}

function Changes({ pageId }: { pageId: number }) {
  const { data, error } = useApi('getPageHistory', { params: { page_id: pageId } }, { staleTime: 60_000 })
  if (error !== null) return <ErrorState error={error} />
  if (data === undefined) return <SkeletonRows rows={4} />
  if (data.diff === null) return <p className="text-muted">No earlier version to compare with.</p>
  return <TextDiff parts={data.diff} />
}
