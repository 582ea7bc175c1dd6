import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import type { UrlDetails } from '../../../server/api.ts'
import { formatBytes, formatDuration } from '../../../text/format.ts'
import { reasonText } from '../../../text/reasons.ts'
import { isUrlState, URL_STATE_STYLES } from '../../../text/states.ts'
import { lowerFirst, spellOut } from '../../../text/words.ts'

export function VisitList({ visits }: { visits: UrlDetails['visits'] }) {
  if (visits.length === 0) return <p className="text-muted">Not requested.</p>
  return (
    <div className="rounded border border-line">
      <Table label="Attempts">
        <thead>
          <tr>
            <Th className="text-right">#</Th>
            <Th>Outcome</Th>
            <Th className="text-right">Status</Th>
            <Th className="text-right">Size</Th>
            <Th className="text-right">Duration</Th>
            <Th>IP address</Th>
            <Th>Time</Th>
          </tr>
        </thead>
        <tbody>
          {visits.map((visit) => (
            <Tr key={visit.attempt}>
              <Td className="text-right">{visit.attempt}</Td>
              <Td>
                {isUrlState(visit.state) ? URL_STATE_STYLES[visit.state].label : spellOut(visit.state)}
                {visit.reason === null ? null : (
                  <span className="text-muted">, {lowerFirst(reasonText(visit.reason))}</span>
                )}
              </Td>
              <Td className="text-right">{visit.http_status ?? '–'}</Td>
              <Td className="text-right whitespace-nowrap">
                {visit.content_length === null ? '–' : formatBytes(visit.content_length)}
              </Td>
              <Td className="text-right whitespace-nowrap">
                {visit.fetch_ms === null ? '–' : formatDuration(visit.fetch_ms)}
              </Td>
              <Td>{visit.proxy === null ? (visit.ip ?? '–') : `through ${visit.proxy}`}</Td>
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
