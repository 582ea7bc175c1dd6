import { useApi } from '../../../api.ts'
import { Badge, type Tone } from '../../../components/Badge.tsx'
import { Card } from '../../../components/Card.tsx'
import { EmptyState, ErrorState } from '../../../components/EmptyState.tsx'
import { ReleasePattern } from '../../../components/ReleasePattern.tsx'
import { SkeletonRows } from '../../../components/Skeleton.tsx'
import { ActionsTh, Table, Td, Th, Tr } from '../../../components/Table.tsx'
import { formatNumber, formatShare } from '../../../format.ts'
import { useMay } from '../../../hooks/useMay.ts'

const STATES: Record<string, { label: string; tone: Tone }> = {
  slowed: { label: 'On trial', tone: 'warn' },
  capped: { label: 'Excluded', tone: 'bad' },
  released: { label: 'Released', tone: 'good' },
}

/** URL patterns that were excluded as traps or are on trial. */
export function Traps({ crawlId, isRunning }: { crawlId: string; isRunning: boolean }) {
  const given = { params: { crawl_id: crawlId } }
  const traps = useApi('listTraps', given, { refetchInterval: isRunning && 5000 })
  const maySteer = useMay('crawl')
  const items = traps.data?.items ?? []
  return (
    <Card title="Traps" aside="URL patterns whose pages repeat each other" isFlush>
      {traps.isPending ? <SkeletonRows rows={2} /> : null}
      {traps.isError ? <ErrorState error={traps.error} onRetry={() => void traps.refetch()} /> : null}
      {traps.data !== undefined && items.length === 0 ? (
        <EmptyState icon="check" title="No traps found">
          Endless calendars and the like are listed here. Their URLs are tried last, and excluded if they bring nothing
          new.
        </EmptyState>
      ) : null}
      {items.length === 0 ? null : (
        <Table label="Traps">
          <thead>
            <tr>
              <Th>Pattern</Th>
              <Th>State</Th>
              <Th className="text-right">Tried</Th>
              <Th className="text-right">Nothing new</Th>
              <Th className="text-right">Excluded</Th>
              <ActionsTh />
            </tr>
          </thead>
          <tbody>
            {items.map((trap) => (
              <Tr key={trap.pattern}>
                <Td className="max-w-xl font-mono text-xs break-all">{trap.pattern}</Td>
                <Td>
                  <Badge tone={STATES[trap.state]?.tone ?? 'neutral'}>{STATES[trap.state]?.label ?? trap.state}</Badge>
                </Td>
                <Td className="text-right">{formatNumber(trap.visits)}</Td>
                <Td className="text-right">{trap.visits === 0 ? '' : formatShare(trap.fruitless / trap.visits)}</Td>
                <Td className="text-right">{formatNumber(trap.saved)}</Td>
                <Td className="text-right">
                  {trap.state === 'capped' && maySteer ? (
                    <ReleasePattern crawlId={crawlId} pattern={trap.pattern} />
                  ) : null}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
