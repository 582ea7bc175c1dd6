import type { RouteResponse } from '../../../../../src/api/contract/routes.ts'
import { Badge } from '../../../components/display/Badge.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { formatField, listFieldChanges } from '../field-changes.ts'
import { UrlLink } from './UrlLink.tsx'

type Difference = RouteResponse<'compareCrawls'>['items'][number]

const CHANGE_STYLES = {
  added: { label: 'Added', tone: 'good' },
  removed: { label: 'Removed', tone: 'bad' },
  changed: { label: 'Changed', tone: 'warn' },
} as const

export function ChangeTable({ items, a, b }: { items: Difference[]; a: string; b: string }) {
  return (
    <Table label="Differences">
      <thead>
        <tr>
          <Th>Change</Th>
          <Th>URL</Th>
          <Th>Details</Th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Tr key={item.url} className="relative align-top">
            <Td className="py-2">
              <Badge tone={CHANGE_STYLES[item.change].tone}>{CHANGE_STYLES[item.change].label}</Badge>
            </Td>
            <Td className="min-w-36 py-2 sm:min-w-56 break-all">
              <UrlLink crawlId={item.change === 'removed' ? a : b} url={item.url} />
            </Td>
            <Td className="py-2 sm:min-w-72">
              <ChangeDetails item={item} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function ChangeDetails({ item }: { item: Difference }) {
  if (item.change !== 'changed') {
    const fields = item.after ?? item.before
    return <span className="text-muted">{fields === null ? '' : formatField('state', fields['state'])}</span>
  }
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3">
      {listFieldChanges(item.fields, item.before, item.after).map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="min-w-0 break-words">
            <del className="text-bad">{before}</del> <span aria-hidden="true">→</span>{' '}
            <ins className="text-good no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
