import { useSearchParams } from 'wouter'
import { LinkButton } from '../../components/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../components/display/Skeleton.tsx'
import { SceneHeader } from '../../components/shell/SceneHeader.tsx'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { useApi } from '../../server/api.ts'
import { CrawlForm } from './components/CrawlForm.tsx'

/** `?url=` and `?allow=` fill in the form; `?from=` fills it with the start URLs and settings of a crawl. */
export function NewCrawl() {
  const [query] = useSearchParams()
  const from = query.get('from')
  const title = from === null ? 'New crawl' : 'Run again with changes'
  const canCrawl = useHasScope('crawl')
  return (
    <>
      <SceneHeader title={title} />
      {canCrawl ? (
        <div className="px-4 pb-24 md:px-6">
          {from === null ? (
            <CrawlForm
              key={query.toString()}
              initial={{ url: query.get('url') ?? '', allow: query.get('allow'), from: null }}
            />
          ) : (
            <FormFromCrawl key={from} crawlId={from} allow={query.get('allow')} />
          )}
        </div>
      ) : (
        <EmptyState
          icon="info"
          title="Your token cannot start crawls"
          action={<LinkButton href="/">View crawls</LinkButton>}
        >
          It has read scope. Sign out under Settings, then sign in with a token that has crawl scope.
        </EmptyState>
      )}
    </>
  )
}

function FormFromCrawl({ crawlId, allow }: { crawlId: string; allow: string | null }) {
  const crawl = useApi('getCrawl', { params: { crawl_id: crawlId } }, { staleTime: Number.POSITIVE_INFINITY })
  if (crawl.data !== undefined) return <CrawlForm initial={{ url: '', allow, from: crawl.data }} />
  return crawl.error === null ? (
    <SkeletonRows />
  ) : (
    <ErrorState error={crawl.error} onRetry={() => void crawl.refetch()} />
  )
}
