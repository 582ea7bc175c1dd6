import { Button } from '../../../components/controls/Button.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../../text/format.ts'
import { describeHealth, type WorkerInfo } from '../worker-health.ts'

export function WorkerTable({
  workers,
  canDrain,
  onDrain,
}: {
  workers: WorkerInfo[]
  canDrain: boolean
  onDrain: (worker: WorkerInfo) => void
}) {
  return (
    <Table label="Workers">
      <thead>
        <tr>
          <Th>Worker</Th>
          <Th>Health</Th>
          <Th>Last seen</Th>
          <Th>Started</Th>
          <Th className="text-right">In flight</Th>
          <Th className="text-right" title="Percent of one core">
            CPU
          </Th>
          <Th className="text-right">Memory</Th>
          <Th className="text-right" title="Longest event loop delay">
            Loop delay
          </Th>
          <Th className="text-right">Requests</Th>
          <Th className="text-right" title="Requests without a response in the last minute">
            Failed, 1 min
          </Th>
          <Th className="text-right">Received</Th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <Row key={worker.worker_id} worker={worker} canDrain={canDrain} onDrain={onDrain} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({
  worker,
  canDrain,
  onDrain,
}: {
  worker: WorkerInfo
  canDrain: boolean
  onDrain: (worker: WorkerInfo) => void
}) {
  const health = describeHealth(worker)
  const isGone = worker.state === 'left' || worker.state === 'lost'
  return (
    <Tr className={isGone ? 'text-muted' : ''}>
      <Td>
        <span className="font-medium whitespace-nowrap">{worker.name}</span>
        <span className="ml-2 text-xs text-muted">{worker.version}</span>
      </Td>
      <Td className="py-1">
        <Badge tone={health.tone}>{health.label}</Badge>
        {health.detail === null ? null : <span className="block max-w-72 text-xs text-muted">{health.detail}</span>}
      </Td>
      <Td>
        <RelativeTime at={worker.seen_at} />
      </Td>
      <Td>
        <RelativeTime at={worker.started_at} />
      </Td>
      <Td className="text-right">{formatNumber(worker.in_flight)}</Td>
      <Td className="text-right">{formatNumber(worker.cpu_percent)}%</Td>
      <Td className="text-right whitespace-nowrap">{formatBytes(worker.rss_bytes)}</Td>
      <Td className="text-right whitespace-nowrap">{formatDuration(worker.loop_delay_ms)}</Td>
      <Td className="text-right">{formatNumber(worker.requests)}</Td>
      <Td className="text-right">
        {formatNumber(worker.recent_failures)} of {formatNumber(worker.recent_requests)}
      </Td>
      <Td className="text-right whitespace-nowrap">{formatBytes(worker.bytes)}</Td>
      <Td className="text-right">
        {worker.state === 'working' && canDrain ? (
          <Button variant="quiet" aria-label={`Drain ${worker.name}`} onClick={() => onDrain(worker)}>
            Drain
          </Button>
        ) : null}
      </Td>
    </Tr>
  )
}
