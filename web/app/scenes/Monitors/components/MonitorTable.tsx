import { Link } from 'wouter'
import { Badge } from '../../../components/display/Badge.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { formatNumber, plural } from '../../../text/format.ts'
import { type Monitor, ruleText } from '../rule-form.ts'

export function MonitorTable({ monitors }: { monitors: readonly Monitor[] }) {
  return (
    <Table label="Monitors">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th className="hidden md:table-cell">Watches for</Th>
          <Th className="hidden md:table-cell">Crawls</Th>
          <Th className="text-right">Open hits</Th>
          <Th className="hidden text-right sm:table-cell">All hits</Th>
          <Th>Last hit</Th>
        </tr>
      </thead>
      <tbody>
        {monitors.map((monitor) => (
          <Tr key={monitor.monitor_id} className="relative">
            <Td className="max-w-40 py-1.5 sm:max-w-64">
              {/* The link covers the whole row. */}
              <Link
                href={`/monitors/${monitor.monitor_id}`}
                className="font-medium break-words after:absolute after:inset-0 hover:underline"
              >
                {monitor.name}
              </Link>
              {monitor.muted ? (
                <span className="ml-2">
                  <Badge>Muted</Badge>
                </span>
              ) : null}
            </Td>
            <Td className="hidden max-w-80 truncate md:table-cell" title={ruleText(monitor)}>
              {ruleText(monitor)}
            </Td>
            <Td className="hidden whitespace-nowrap md:table-cell">
              {monitor.crawl_ids.length === 0 ? 'All' : plural(monitor.crawl_ids.length, 'crawl')}
            </Td>
            <Td className="text-right">
              {monitor.open_hits === 0 ? '0' : <Badge tone="warn">{formatNumber(monitor.open_hits)}</Badge>}
            </Td>
            <Td className="hidden text-right sm:table-cell">
              {formatNumber(monitor.hits)}
              {monitor.deleted_hits === 0 ? null : (
                <span className="block text-xs text-muted">
                  {formatNumber(monitor.deleted_hits)} older ones deleted
                </span>
              )}
            </Td>
            <Td>{monitor.last_hit_at === null ? 'None yet' : <RelativeTime at={monitor.last_hit_at} />}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
