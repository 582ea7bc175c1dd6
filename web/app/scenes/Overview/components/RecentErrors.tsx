import { Link } from 'wouter'
import { Badge, StateBadge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { UrlText } from '../../../components/display/UrlText.tsx'
import { urlHref } from '../../../page/navigation.ts'
import { useApi } from '../../../server/api.ts'
import { shortUrl } from '../../../text/format.ts'
import { reasonText } from '../../../text/reasons.ts'

const MAX_ROWS = 8
const TONES = { note: 'neutral', warning: 'warn', error: 'bad' } as const

export function RecentErrors({
  crawlId,
  refetchInterval,
  className,
}: {
  crawlId: string
  refetchInterval: number | false
  className: string
}) {
  const { data, error } = useApi(
    'listErrors',
    { params: { crawl_id: crawlId }, query: { limit: MAX_ROWS } },
    { refetchInterval },
  )
  return (
    <Card title="Recent errors" className={className} isFlush>
      {data === undefined && error === null ? <SkeletonRows rows={3} /> : null}
      {data === undefined && error !== null ? <ErrorState error={error} /> : null}
      {data?.items.length === 0 ? <p className="p-3 text-muted">No errors.</p> : null}
      {data === undefined || data.items.length === 0 ? null : (
        <Table label="Recent errors">
          <thead>
            <tr>
              <Th>URL</Th>
              <Th>State</Th>
              <Th>Reason</Th>
              <Th>Time</Th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => (
              <Tr key={item.url_id}>
                <Td className="max-w-36 truncate sm:max-w-80">
                  <Link
                    href={urlHref(crawlId, item.url_id)}
                    title={item.url}
                    aria-label={shortUrl(item.url)}
                    className="block hover:underline"
                  >
                    <UrlText text={shortUrl(item.url)} />
                  </Link>
                </Td>
                <Td>
                  <StateBadge state={item.state} />
                </Td>
                <Td>
                  <Badge tone={TONES[item.severity]}>
                    {reasonText(item.reason ?? (item.http_status === null ? '–' : `http_${item.http_status}`))}
                  </Badge>
                </Td>
                <Td>{item.visited_at === null ? '–' : <RelativeTime at={item.visited_at} />}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
