import { Link } from 'wouter'
import { Badge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { useNow } from '../../../hooks/useNow.ts'
import { changesHref } from '../../../page/navigation.ts'
import { type Crawl, useApi } from '../../../server/api.ts'
import { CHANGE_KINDS, CHANGE_STYLES, type ChangeCounts, countAll, kindCountText } from '../../../text/changes.ts'
import { shortUrl, startOfDay } from '../../../text/format.ts'
import { revisitsUrls } from '../../../text/recrawl.ts'

const SHOWN = 3

/** What changed today, and the newest changes. Only for recrawled crawls. */
export function ChangesCard({ crawl, refetchInterval }: { crawl: Crawl; refetchInterval: number | false }) {
  const { crawl_id } = crawl
  const isShown = revisitsUrls(crawl)
  const today = startOfDay(useNow(60_000)).toISOString()
  const options = { refetchInterval, enabled: isShown }
  const counts = useApi('countChanges', { query: { crawl_id, since: today } }, options)
  const newest = useApi('listChanges', { query: { crawl_id, limit: SHOWN } }, options)
  if (!isShown || counts.data === undefined || newest.data === undefined) return null
  const { items } = newest.data
  return (
    <Card
      title="Changes"
      aside={
        <Link href={changesHref(crawl_id)} className="text-accent hover:underline">
          All changes
        </Link>
      }
    >
      <TodayCounts crawlId={crawl_id} counts={counts.data} hasAny={items.length > 0} />
      {items.length === 0 ? null : (
        <ul className="mt-2">
          {items.map((change) => (
            <li key={change.change_id}>
              <Link
                href={changesHref(crawl_id, { change: change.change_id })}
                title={change.url}
                className="-mx-1.5 flex h-7 items-center gap-2 rounded px-1.5 hover:bg-hover"
              >
                <Badge tone={CHANGE_STYLES[change.kind].tone}>{CHANGE_STYLES[change.kind].label}</Badge>
                <span className="min-w-0 truncate">{shortUrl(change.url)}</span>
                <span className="ml-auto shrink-0 text-xs text-muted">
                  <RelativeTime at={change.at} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function TodayCounts({ crawlId, counts, hasAny }: { crawlId: string; counts: ChangeCounts; hasAny: boolean }) {
  if (countAll(counts) === 0) {
    return <p className="text-muted">{hasAny ? 'Nothing has changed today.' : 'Nothing has changed yet.'}</p>
  }
  const kinds = CHANGE_KINDS.filter((kind) => counts[kind] > 0)
  return (
    <p>
      {kinds.map((kind, i) => (
        <span key={kind}>
          {i === 0 ? '' : ', '}
          <Link href={changesHref(crawlId, { kind })} className="font-medium text-accent hover:underline">
            {kindCountText(kind, counts[kind])}
          </Link>
        </span>
      ))}{' '}
      today
    </p>
  )
}
