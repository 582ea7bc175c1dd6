import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import type { UrlDetails } from '../../../server/api.ts'
import { formatBytes, formatDuration } from '../../../text/format.ts'

export function VisitList({ visits }: { visits: UrlDetails['visits'] }) {
  if (visits.length === 0) return <p className="text-muted">It was never asked for.</p>
  return (
    <div className="rounded border border-line">
      <Table label="Attempts">
        <thead>
          <tr>
            <Th className="text-right">No.</Th>
            <Th>Outcome</Th>
            <Th className="text-right">Status</Th>
            <Th className="text-right">Size</Th>
            <Th className="text-right">Time</Th>
            <Th>Server</Th>
            <Th>When</Th>
          </tr>
        </thead>
        <tbody>
          {visits.map((visit) => (
            <Tr key={visit.attempt}>
              <Td className="text-right">{visit.attempt}</Td>
              <Td>
                {visit.state.replaceAll('_', ' ')}
                {visit.reason === null ? null : (
                  <span className="text-muted">, {visit.reason.replaceAll('_', ' ')}</span>
                )}
              </Td>
              <Td className="text-right">{visit.http_status ?? '–'}</Td>
              <Td className="text-right whitespace-nowrap">
                {visit.content_length === null ? '–' : formatBytes(visit.content_length)}
              </Td>
              <Td className="text-right whitespace-nowrap">
                {visit.fetch_ms === null ? '–' : formatDuration(visit.fetch_ms)}
              </Td>
              <Td>{visit.ip ?? '–'}</Td>
              <Td>
                <RelativeTime at={visit.visited_at} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
