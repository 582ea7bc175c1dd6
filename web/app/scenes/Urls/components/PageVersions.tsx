import { useState } from 'react'
import { Select } from '../../../components/controls/Input.tsx'
import { Tabs } from '../../../components/controls/Tabs.tsx'
import { PageText } from '../../../components/diff/PageText.tsx'
import { ScreenshotDiff } from '../../../components/diff/ScreenshotDiff.tsx'
import { VersionDiff } from '../../../components/diff/VersionDiff.tsx'
import { VersionSlider } from '../../../components/diff/VersionSlider.tsx'
import { ArchivedPageLink } from '../../../components/display/ArchivedPageLink.tsx'
import { Screenshot } from '../../../components/display/Screenshot.tsx'
import { routeUrl, type UrlDetails } from '../../../server/api.ts'
import { formatBytes, versionText } from '../../../text/format.ts'
import { lowerFirst } from '../../../text/words.ts'
import { ExtractedData } from './ExtractedData.tsx'

type View = 'text' | 'headers' | 'data' | 'screenshot' | 'changes'

const VIEWS: readonly { id: View; label: string }[] = [
  { id: 'text', label: 'Text' },
  { id: 'headers', label: 'Headers' },
  { id: 'data', label: 'Data' },
  { id: 'screenshot', label: 'Screenshot' },
  { id: 'changes', label: 'Changes' },
]

/** The archived versions of a page, oldest first: one is shown, alone or compared with another. */
export function PageVersions({ pages }: { pages: UrlDetails['pages'] }) {
  const [at, setAt] = useState(pages.length - 1)
  const [view, setView] = useState<View>('text')
  const selected = pages[at]
  if (selected === undefined) return <p className="text-muted">No archived versions.</p>
  const views = VIEWS.filter(({ id }) => id !== 'screenshot' || selected.has_screenshot)
  const shown = view === 'screenshot' && !selected.has_screenshot ? 'text' : view
  return (
    <div className="flex flex-col gap-2">
      {pages.length > 1 ? (
        <VersionSlider count={pages.length} at={at} valueText={versionText(selected)} onMove={setAt} />
      ) : null}
      <p className="flex flex-wrap gap-x-3">
        <span className="font-medium">{versionText(selected)}</span>
        {selected.content_length === null ? null : (
          <span className="text-muted">{formatBytes(selected.content_length)}</span>
        )}
        {selected.is_kept ? (
          <>
            <ArchivedPageLink pageId={selected.page_id} />
            <a
              download
              href={routeUrl('getPageRaw', { params: { page_id: selected.page_id } })}
              className="text-accent hover:underline"
            >
              Download body
            </a>
          </>
        ) : null}
      </p>
      {selected.note === null ? null : <p className="text-muted">{selected.note}</p>}
      <Tabs label="Content of the version" tabs={views} current={shown} onSelect={setView} />
      <VersionContent pages={pages} at={at} view={shown} />
    </div>
  )
}

function VersionContent({ pages, at, view }: { pages: UrlDetails['pages']; at: number; view: View }) {
  const selected = pages[at]
  if (selected === undefined) return null
  switch (view) {
    case 'text':
    case 'headers':
      return (
        <PageText title={view === 'text' ? 'Page text' : 'Response headers'} pageId={selected.page_id} part={view} />
      )
    case 'data':
      return <ExtractedData key={selected.page_id} pageId={selected.page_id} isArchived={selected.is_kept} />
    case 'screenshot':
      return <Screenshot pageId={selected.page_id} alt={`Screenshot of ${lowerFirst(versionText(selected))}`} />
    case 'changes':
      return <VersionChanges key={selected.page_id} pages={pages} at={at} />
  }
}

/** Compares a version with the previous one, or another. */
function VersionChanges({ pages, at }: { pages: UrlDetails['pages']; at: number }) {
  const [other, setOther] = useState(at === 0 ? 1 : at - 1)
  const before = pages[Math.min(at, other)]
  const after = pages[Math.max(at, other)]
  if (pages.length < 2) return <p className="text-muted">No earlier version to compare with.</p>
  return (
    <>
      <Select
        aria-label="Compare with"
        className="max-w-80"
        value={other}
        onChange={(event) => setOther(Number(event.target.value))}
      >
        {pages.map((page, i) =>
          i === at ? null : (
            <option key={page.page_id} value={i}>
              {i < at ? 'Since' : 'Until'} {lowerFirst(versionText(page))}
            </option>
          ),
        )}
      </Select>
      {before === undefined || after === undefined ? null : (
        <>
          <VersionDiff before={before.page_id} after={after.page_id} />
          {before.has_screenshot && after.has_screenshot ? (
            <ScreenshotDiff before={before.page_id} after={after.page_id} />
          ) : null}
        </>
      )}
    </>
  )
}
