import { Link } from 'wouter'
import { Card } from '../../../components/display/Card.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { urlsHref } from '../../../page/navigation.ts'
import type { Stats } from '../../../server/api.ts'
import { formatBytes, formatDuration, formatNumber, plural } from '../../../text/format.ts'

const MAX_ROWS = 10

export function TopHosts({
  crawlId,
  stats,
  className,
}: {
  crawlId: string
  stats: Stats | undefined
  className: string
}) {
  const aside =
    stats === undefined ? undefined : (
      <Link href={`/crawls/${crawlId}/hosts`} className="text-accent hover:underline">
        {plural(stats.host_count, 'host')}
      </Link>
    )
  return (
    <Card title="Top hosts" aside={aside} className={className} isFlush>
      {stats === undefined ? (
        <SkeletonRows rows={3} />
      ) : (
        <Table label="Top hosts">
          <thead>
            <tr>
              <Th>Host</Th>
              <Th className="text-right">URLs</Th>
              <Th className="text-right">Visited</Th>
              <Th className="text-right" title="URLs that ended as forbidden, not found, HTTP error or failed">
                Problems
              </Th>
              <Th className="text-right">Size</Th>
              <Th className="text-right" title="Mean response time">
                Response
              </Th>
            </tr>
          </thead>
          <tbody>
            {stats.hosts.slice(0, MAX_ROWS).map((host) => (
              <Tr key={host.host}>
                <Td className="max-w-36 truncate sm:max-w-96">
                  <Link href={urlsHref(crawlId, { host: host.host })} className="hover:underline">
                    {host.host}
                  </Link>
                </Td>
                <Td className="text-right">{formatNumber(host.urls)}</Td>
                <Td className="text-right">{formatNumber(host.visited)}</Td>
                <Td className="text-right">{formatNumber(host.failed)}</Td>
                <Td className="text-right whitespace-nowrap">{formatBytes(host.bytes)}</Td>
                <Td className="text-right whitespace-nowrap">
                  {host.visited === 0 ? '–' : formatDuration(host.mean_fetch_ms)}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
