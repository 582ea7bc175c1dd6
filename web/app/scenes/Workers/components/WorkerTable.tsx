import { Button } from '../../../components/controls/Button.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../../text/format.ts'
import { describeHealth, type WorkerInfo } from '../worker-health.ts'

export function WorkerTable({
  workers,
  mayDrain,
  onDrain,
}: {
  workers: WorkerInfo[]
  mayDrain: boolean
  onDrain: (worker: WorkerInfo) => void
}) {
  return (
    <Table label="Workers">
      <thead>
        <tr>
          <Th>Worker</Th>
          <Th>Health</Th>
          <Th>Seen</Th>
          <Th>Started</Th>
          <Th className="text-right">In flight</Th>
          <Th className="text-right" title="Of one core">
            CPU
          </Th>
          <Th className="text-right">Memory</Th>
          <Th className="text-right" title="How late timers come, at worst">
            Delay
          </Th>
          <Th className="text-right">Requests</Th>
          <Th className="text-right" title="Requests of the last minute that got no answer">
            Unanswered
          </Th>
          <Th className="text-right">Read</Th>
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <Row key={worker.worker_id} worker={worker} mayDrain={mayDrain} onDrain={onDrain} />
        ))}
      </tbody>
    </Table>
  )
}

function Row({
  worker,
  mayDrain,
  onDrain,
}: {
  worker: WorkerInfo
  mayDrain: boolean
  onDrain: (worker: WorkerInfo) => void
}) {
  const workerHealth = describeHealth(worker)
  const isGone = worker.state === 'left' || worker.state === 'lost'
  return (
    <Tr className={isGone ? 'text-muted' : ''}>
      <Td>
        <span className="font-medium whitespace-nowrap">{worker.name}</span>
        <span className="ml-2 text-xs text-muted">{worker.version}</span>
      </Td>
      <Td className="py-1">
        <Badge tone={workerHealth.tone}>{workerHealth.word}</Badge>
        {workerHealth.detail === null ? null : (
          <span className="block max-w-72 text-xs text-muted">{workerHealth.detail}</span>
        )}
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
        {worker.state === 'working' && mayDrain ? (
          <Button look="quiet" aria-label={`Drain ${worker.name}`} onClick={() => onDrain(worker)}>
            Drain
          </Button>
        ) : null}
      </Td>
    </Tr>
  )
}
