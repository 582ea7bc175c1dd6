import { useLocation } from 'wouter'
import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import { LinkButton } from '../../components/controls/Button.tsx'
import { Select } from '../../components/controls/Input.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { ExternalUrl } from '../../components/display/ExternalUrl.tsx'
import { SceneSkeleton } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useCrawl } from '../../hooks/useCrawl.ts'
import { archivedPageHref, urlsHref } from '../../page/navigation.ts'
import { hasErrorCode, useApi } from '../../server/api.ts'
import { formatDateTime, versionText } from '../../text/format.ts'

/** A little less than a replay is valid, so that its links work until it is loaded again. */
const RENEW_MS = 50 * 60_000

/** An archived page as it looked. The frame has an origin of its own, runs no scripts and loads only from the archive. */
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
  const { url, page, path } = data
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SceneHeader title="Archived page">
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
        <MissingRequisites page={page} />
      </div>
      <iframe
        key={path}
        src={path}
        title={`Archived copy of ${url}`}
        // Only what is shown in place of a page uses windows; archived pages forbid them by their own policy.
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className="min-h-96 w-full flex-1 border-t border-line bg-white"
      />
    </div>
  )
}

/** Without it, a page in the fonts of the browser looks broken. */
function MissingRequisites({ page }: { page: RouteResponse<'getPageReplay'>['page'] }) {
  const { data: crawl } = useCrawl(page.crawl_id)
  if (crawl === undefined || page.content_type === null || !/html/.test(page.content_type)) return null
  const { requisites, render = 'off' } = crawl.settings
  // What a rendered page requests is archived with it.
  if (requisites === true || render !== 'off') return null
  return (
    <p className="text-muted">
      Images, style sheets and fonts are missing unless the crawl visited them. To archive them, start a new crawl with
      "Page requisites" on (<code>--requisites</code>).
    </p>
  )
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
