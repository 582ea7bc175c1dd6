import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import { Button, LinkButton } from '../../components/controls/Button.tsx'
import { Select } from '../../components/controls/Input.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { ExternalUrl } from '../../components/display/ExternalUrl.tsx'
import { SceneSkeleton } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { archivedPageHref, urlsHref } from '../../page/navigation.ts'
import { hasErrorCode, useApi } from '../../server/api.ts'
import { formatDateTime, versionText } from '../../text/format.ts'
import { PickPanel } from './components/PickPanel.tsx'
import { type Pick, readPick } from './selectors.ts'

/** A little less than a replay is valid, so that its links work until it is loaded again. */
const RENEW_MS = 50 * 60_000

/** An archived page as it looked. The frame has an opaque origin, runs no scripts and loads only from the archive. */
export function ArchivedPage({ pageId }: { pageId: number }) {
  const { data, error, refetch } = useApi(
    'getPageReplay',
    { params: { page_id: pageId } },
    { staleTime: RENEW_MS, refetchOnWindowFocus: false },
  )
  if (data === undefined) {
    if (hasErrorCode(error, 'PAGE_NOT_FOUND') || hasErrorCode(error, 'PAGE_NOT_KEPT'))
      return <NotArchived error={error} />
    return error === null ? <SceneSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return <Replay replay={data} pageId={pageId} />
}

/** While elements are picked, the frame also runs a script of ours, and nothing else. */
function Replay({ replay: { url, page, path }, pageId }: { replay: RouteResponse<'getPageReplay'>; pageId: number }) {
  const [isPicking, setIsPicking] = useState(false)
  const frame = useRef<HTMLIFrameElement>(null)
  const pick = usePick(frame, isPicking)
  const isHtml = /html/.test(page.content_type ?? '')
  const src = isPicking ? `${path}&pick=1` : path
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SceneHeader title="Archived page">
        {isHtml ? (
          <Button icon="edit" aria-pressed={isPicking} onClick={() => setIsPicking(!isPicking)}>
            {isPicking ? 'Stop picking' : 'Pick an element'}
          </Button>
        ) : null}
        <VersionSelect url={url} pageId={pageId} />
        <LinkButton icon="crawls" href={urlsHref(page.crawl_id, { text: url })}>
          View in crawl
        </LinkButton>
      </SceneHeader>
      <div className="px-4 pb-2 md:px-6">
        <ExternalUrl url={url} />
        <p className="text-muted">
          As it was on {formatDateTime(new Date(page.visited_at))}, without scripts. Links lead to archived pages of the
          same crawl.
        </p>
        {isHtml ? <MissingRequisites crawlId={page.crawl_id} /> : null}
      </div>
      <iframe
        key={src}
        ref={frame}
        src={src}
        title={`Archived copy of ${url}`}
        // Only messages shown in place of a page open windows; archived pages forbid them by their own policy.
        sandbox={isPicking ? 'allow-scripts' : 'allow-popups allow-popups-to-escape-sandbox'}
        referrerPolicy="no-referrer"
        className={`w-full flex-1 border-t border-line bg-white ${isPicking ? 'min-h-48' : 'min-h-96'}`}
      />
      {isPicking ? <PickPanel page={{ pageId, crawlId: page.crawl_id, url }} pick={pick} /> : null}
    </div>
  )
}

/** Explains why a page that is shown without its styles looks broken. */
function MissingRequisites({ crawlId }: { crawlId: string }) {
  const { data: crawl } = useCrawl(crawlId)
  if (crawl === undefined) return null
  const { requisites, render = 'off' } = crawl.settings
  // The requests of rendered pages are archived with them.
  if (requisites === true || render !== 'off') return null
  return (
    <p className="text-muted">
      Images, style sheets and fonts are missing unless the crawl visited them. To archive them, start a new crawl with
      "Page requisites" on (<code>--requisites</code>).
    </p>
  )
}

/**
 * The last element that was clicked. The frame has no origin, so its window is the only way to identify its messages.
 */
function usePick(frame: React.RefObject<HTMLIFrameElement | null>, isPicking: boolean): Pick | null {
  const [pick, setPick] = useState<Pick | null>(null)
  useEffect(() => {
    setPick(null)
    if (!isPicking) return undefined
    const receive = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow || origin !== 'null') return
      const read = readPick(data)
      if (read !== null) setPick(read)
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [frame, isPicking])
  return pick
}

/** Other archived versions of the same URL, over all crawls. */
function VersionSelect({ url, pageId }: { url: string; pageId: number }) {
  const [, navigate] = useLocation()
  const { data } = useApi('findPages', { query: { url } }, { staleTime: 60_000 })
  const versions = data?.items.filter(({ is_kept }) => is_kept) ?? []
  if (versions.length < 2) return null
  return (
    <Select
      aria-label="Version"
      value={pageId}
      onChange={(event) => navigate(archivedPageHref(Number(event.target.value)))}
    >
      {versions.map((version) => (
        <option key={version.page_id} value={version.page_id}>
          {versionText(version)}
        </option>
      ))}
    </Select>
  )
}

function NotArchived({ error }: { error: Error | null }) {
  return (
    <EmptyState icon="compass" title="Not archived">
      {error?.message}
    </EmptyState>
  )
}
