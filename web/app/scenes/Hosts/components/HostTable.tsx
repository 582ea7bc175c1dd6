import { Link } from 'wouter'
import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { Button, LinkButton } from '../../../components/controls/Button.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { urlsHref } from '../../../page/navigation.ts'
import { formatBytes, formatDateTime, formatDuration, formatNumber } from '../../../text/format.ts'
import { describeRobots, type Host } from '../robots-status.ts'

type HostPoliteness = RouteResponse<'getPoliteness'>['items'][number]

export function HostTable({
  crawlId,
  isRunning,
  hosts,
  measured,
  canControl,
  isBusy,
  onBlock,
  onUnblock,
}: {
  crawlId: string
  isRunning: boolean
  hosts: Host[]
  measured: HostPoliteness[]
  canControl: boolean
  isBusy: boolean
  onBlock: (host: string) => void
  onUnblock: (host: string) => void
}) {
  const isAdmin = useHasScope('admin')
  // A column of zeros once the crawl is over.
  const hasQueued = hosts.some(({ queued }) => queued > 0)
  const politenessByHost = new Map(measured.map((item) => [item.host, item]))
  return (
    <Table label="Hosts">
      <thead>
        <tr>
          <Th>Host</Th>
          <Th className="text-right">URLs</Th>
          {hasQueued ? <Th className="text-right">Queued</Th> : null}
          <Th className="text-right">Visited</Th>
          <Th className="text-right" title="URLs that ended as forbidden, not found, HTTP error or failed">
            Problems
          </Th>
          <Th className="text-right" title="Size of the contents after decompression">
            Size
          </Th>
          <Th className="text-right" title="Mean response time">
            Response
          </Th>
          {isRunning ? <Th title="Minimum time between two requests, across all crawls">Gap now</Th> : null}
          <Th title="Shortest gap between two requests, and most requests at a time">Observed pace</Th>
          <Th title="Recent refusals and failures, minus the good responses since. The cooldown doubles with each.">
            Failures
          </Th>
          <Th>robots.txt</Th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {hosts.map((host) => (
          <Tr key={host.host}>
            <Td className="max-w-64">
              <Link
                href={urlsHref(crawlId, { host: host.host })}
                className="block truncate font-medium hover:underline"
              >
                {host.host}
              </Link>
            </Td>
            <Td className="text-right">{formatNumber(host.urls)}</Td>
            {hasQueued ? <Td className="text-right">{formatNumber(host.queued)}</Td> : null}
            <Td className="text-right">{formatNumber(host.visited)}</Td>
            <Td className={`text-right ${host.failed > 0 ? 'text-bad' : ''}`}>{formatNumber(host.failed)}</Td>
            <Td className="text-right whitespace-nowrap">{formatBytes(host.bytes)}</Td>
            <Td className="text-right whitespace-nowrap">
              {host.mean_fetch_ms === null ? <span className="text-muted">–</span> : formatDuration(host.mean_fetch_ms)}
            </Td>
            {/* Crawls share the gap of a host: once this one is over, it is that of another. */}
            {isRunning ? <Td className="whitespace-nowrap">{formatDuration(host.gap_ms)}</Td> : null}
            <Td className="whitespace-nowrap">
              <PolitenessCell measured={politenessByHost.get(host.host)} />
            </Td>
            <Td>
              <FailuresCell host={host} />
            </Td>
            <Td>
              <RobotsCell host={host} />
            </Td>
            {/* Stays in view where the table is wider than the window; on a phone it would cover the figures. */}
            <Td className="bg-surface md:sticky md:right-0">
              <div className="flex justify-end gap-2">
                {isAdmin ? (
                  <LinkButton
                    variant="quiet"
                    href={`/settings?host=${encodeURIComponent(host.host)}`}
                    label={`Policy of ${host.host}`}
                  >
                    Policy
                  </LinkButton>
                ) : null}
                {!canControl ? null : host.is_blocked ? (
                  <Button
                    icon="play"
                    disabled={isBusy}
                    onClick={() => onUnblock(host.host)}
                    aria-label={`Unblock ${host.host}`}
                  >
                    Unblock
                  </Button>
                ) : (
                  <Button
                    variant="quiet"
                    disabled={isBusy}
                    onClick={() => onBlock(host.host)}
                    aria-label={`Block ${host.host}`}
                  >
                    Block
                  </Button>
                )}
              </div>
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function PolitenessCell({ measured }: { measured: HostPoliteness | undefined }) {
  if (measured === undefined || measured.requests === 0) return <span className="text-muted">–</span>
  const gap = measured.smallest_gap_ms
  return (
    <span>
      {gap === null ? '1 request' : formatDuration(gap)}, {measured.peak} at a time
      {measured.concurrency_limit === null ? null : ` (host limit: ${measured.concurrency_limit})`}
    </span>
  )
}

function FailuresCell({ host }: { host: Host }) {
  if (host.is_blocked) return <Badge tone="warn">Blocked</Badge>
  if (host.strikes === 0) return <span className="text-muted">None</span>
  // If nothing is left to visit, the time of the next request passes without one.
  const retryAt = host.queued === 0 ? null : host.next_at
  return (
    <span className="whitespace-nowrap text-bad" title={retryAt === null ? '' : formatDateTime(new Date(retryAt))}>
      {host.strikes}
      {retryAt === null ? null : (
        <>
          , retry <RelativeTime at={retryAt} />
        </>
      )}
    </span>
  )
}

function RobotsCell({ host }: { host: Host }) {
  if (host.robots.length === 0) return <span className="text-muted">Not fetched</span>
  return (
    <span className="flex flex-wrap gap-1">
      {host.robots.map((robots) => {
        const { label, tone } = describeRobots(robots)
        return (
          <span key={robots.origin} title={`${robots.origin}, fetched ${formatDateTime(new Date(robots.asked_at))}`}>
            <Badge tone={tone}>{label}</Badge>
          </span>
        )
      })}
    </span>
  )
}
