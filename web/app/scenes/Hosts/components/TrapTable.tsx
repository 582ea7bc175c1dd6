import { ReleasePatternButton } from '../../../components/crawl/ReleasePatternButton.tsx'
import { Badge, type Tone } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { useHasScope } from '../../../hooks/useHasScope.ts'
import { useApi } from '../../../server/api.ts'
import { formatNumber, formatShare } from '../../../text/format.ts'

const TRAP_STATE_STYLES: Record<string, { label: string; tone: Tone }> = {
  slowed: { label: 'On trial', tone: 'warn' },
  capped: { label: 'Excluded', tone: 'bad' },
  open: { label: 'Has new content', tone: 'good' },
  released: { label: 'Released', tone: 'good' },
}

/** URL patterns that are excluded as traps or on trial. */
export function TrapTable({ crawlId, isRunning }: { crawlId: string; isRunning: boolean }) {
  const traps = useApi('listTraps', { params: { crawl_id: crawlId } }, { refetchInterval: isRunning && 5000 })
  const canControl = useHasScope('crawl')
  const items = traps.data?.items ?? []
  return (
    <Card title="Traps" aside="URL patterns whose pages repeat each other" isFlush>
      {traps.isPending ? <SkeletonRows rows={2} /> : null}
      {traps.isError ? <ErrorState error={traps.error} onRetry={() => void traps.refetch()} /> : null}
      {traps.data !== undefined && items.length === 0 ? (
        <EmptyState icon="check" title="No traps found">
          Traps such as endless calendars are listed here. Their URLs are visited last, and excluded if their pages have
          no new content.
        </EmptyState>
      ) : null}
      {items.length === 0 ? null : (
        <Table label="Traps">
          <thead>
            <tr>
              <Th>Pattern</Th>
              <Th>State</Th>
              <Th className="text-right">Visited</Th>
              <Th className="text-right">No new content</Th>
              <Th className="text-right">Excluded</Th>
              <ActionsHeader />
            </tr>
          </thead>
          <tbody>
            {items.map((trap) => (
              <Tr key={trap.pattern}>
                <Td className="max-w-xl font-mono text-xs break-all">{trap.pattern}</Td>
                <Td>
                  <Badge tone={TRAP_STATE_STYLES[trap.state]?.tone ?? 'neutral'}>
                    {TRAP_STATE_STYLES[trap.state]?.label ?? trap.state}
                  </Badge>
                </Td>
                <Td className="text-right">{formatNumber(trap.visits)}</Td>
                <Td className="text-right">{trap.visits === 0 ? '' : formatShare(trap.fruitless / trap.visits)}</Td>
                <Td className="text-right">{formatNumber(trap.saved)}</Td>
                <Td className="text-right">
                  {(trap.state === 'capped' || trap.saved > 0) && canControl ? (
                    <ReleasePatternButton crawlId={crawlId} pattern={trap.pattern} />
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
