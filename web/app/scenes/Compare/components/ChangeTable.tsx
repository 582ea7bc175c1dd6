import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { Badge } from '../../../components/display/Badge.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { formatValue, listFieldChanges } from '../field-changes.ts'
import { UrlLink } from './UrlLink.tsx'

type Difference = RouteResponse<'compareCrawls'>['items'][number]

const TONES = { added: 'good', removed: 'bad', changed: 'warn' } as const

export function ChangeTable({ items, a, b }: { items: Difference[]; a: string; b: string }) {
  return (
    <Table label="Differences">
      <thead>
        <tr>
          <Th>Change</Th>
          <Th>Url</Th>
          <Th>What</Th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Tr key={item.url} className="relative align-top">
            <Td className="py-2">
              <Badge tone={TONES[item.change]}>{item.change}</Badge>
            </Td>
            <Td className="min-w-36 py-2 sm:min-w-56 break-all">
              <UrlLink crawlId={item.change === 'removed' ? a : b} url={item.url} />
            </Td>
            <Td className="py-2 sm:min-w-72">
              <What item={item} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function What({ item }: { item: Difference }) {
  if (item.change !== 'changed') {
    const facts = item.after ?? item.before
    return <span className="text-muted">{facts === null ? '' : formatValue(facts['state']).replaceAll('_', ' ')}</span>
  }
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3">
      {listFieldChanges(item.fields, item.before, item.after).map(({ field, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-muted">{field.replaceAll('_', ' ')}</dt>
          <dd className="min-w-0 break-words">
            <del className="text-bad">{before}</del> <span aria-hidden="true">→</span>{' '}
            <ins className="text-good no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
