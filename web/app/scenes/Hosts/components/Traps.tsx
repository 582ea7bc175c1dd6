import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, queryClient, useApi } from '../../../api.ts'
import { Badge, type Tone } from '../../../components/Badge.tsx'
import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Card.tsx'
import { Confirm } from '../../../components/Confirm.tsx'
import { EmptyState, ErrorState } from '../../../components/EmptyState.tsx'
import { SkeletonRows } from '../../../components/Skeleton.tsx'
import { ActionsTh, Table, Td, Th, Tr } from '../../../components/Table.tsx'
import { formatNumber, formatShare, plural } from '../../../format.ts'
import { useMay } from '../../../hooks/useMay.ts'
import { showToast } from '../../../toasts.ts'

const TONES: Record<string, Tone> = { open: 'neutral', slowed: 'warn', capped: 'bad', released: 'good' }

/** Patterns of urls that brought little, with the way to let one go. */
export function Traps({ crawlId, isRunning }: { crawlId: string; isRunning: boolean }) {
  const given = { params: { crawl_id: crawlId } }
  const traps = useApi('listTraps', given, { refetchInterval: isRunning && 5000 })
  const maySteer = useMay('crawl')
  const [toRelease, setToRelease] = useState<string | null>(null)
  const release = useMutation({
    mutationFn: (pattern: string) => client.releaseTrap({ ...given, body: { pattern } }),
    onSuccess: ({ queued }) => {
      showToast(`The pattern is let go; ${plural(queued, 'url')} queued again.`)
      setToRelease(null)
      void queryClient.invalidateQueries({ queryKey: ['listTraps'] })
    },
    onError: (error) => {
      setToRelease(null)
      showToast(messageOf(error), 'bad')
    },
  })
  const items = traps.data?.items ?? []
  return (
    <Card title="Traps" aside="Patterns of urls that went on and on without anything new" isFlush>
      {traps.isPending ? <SkeletonRows rows={2} /> : null}
      {traps.isError ? <ErrorState error={traps.error} onRetry={() => void traps.refetch()} /> : null}
      {traps.data !== undefined && items.length === 0 ? (
        <EmptyState icon="check" title="No trap was seen">
          Calendars without end and the like would be listed here, slowed first and then capped.
        </EmptyState>
      ) : null}
      {items.length === 0 ? null : (
        <Table label="Traps">
          <thead>
            <tr>
              <Th>Pattern</Th>
              <Th>State</Th>
              <Th className="text-right">Visits</Th>
              <Th className="text-right">Nothing new</Th>
              <Th className="text-right">Spared</Th>
              <ActionsTh />
            </tr>
          </thead>
          <tbody>
            {items.map((trap) => (
              <Tr key={trap.pattern}>
                <Td className="max-w-xl font-mono text-xs break-all">{trap.pattern}</Td>
                <Td>
                  <Badge tone={TONES[trap.state] ?? 'neutral'}>{trap.state}</Badge>
                </Td>
                <Td className="text-right">{formatNumber(trap.visits)}</Td>
                <Td className="text-right">{trap.visits === 0 ? '' : formatShare(trap.fruitless / trap.visits)}</Td>
                <Td className="text-right">{formatNumber(trap.saved)}</Td>
                <Td className="text-right">
                  {trap.state === 'capped' && maySteer ? (
                    <Button disabled={release.isPending} onClick={() => setToRelease(trap.pattern)}>
                      Let go
                    </Button>
                  ) : null}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      {toRelease === null ? null : (
        <Confirm
          title="Let the pattern go"
          text="Its urls are queued again, and the pattern is never capped again in this crawl. The crawl has to be at rest for this: pause it first if it runs."
          action="Let it go"
          isBusy={release.isPending}
          onConfirm={() => release.mutate(toRelease)}
          onClose={() => setToRelease(null)}
        />
      )}
    </Card>
  )
}
