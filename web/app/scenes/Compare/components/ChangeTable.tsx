import { Link } from 'wouter'
import { FieldChanges } from '../../../components/diff/FieldChanges.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { shortUrl } from '../../../text/format.ts'
import { DIFFERENCE_STYLES, type Difference } from '../difference.ts'
import { formatField, listFieldChanges } from '../field-changes.ts'

interface Props {
  items: readonly Difference[]
  hrefOf: (url: string) => string
}

/** A table; a list on a phone, where the columns would be a few characters wide. */
export function ChangeTable({ items, hrefOf }: Props) {
  if (useIsNarrow()) return <ChangeItems items={items} hrefOf={hrefOf} />
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
              <Badge tone={DIFFERENCE_STYLES[item.change].tone}>{DIFFERENCE_STYLES[item.change].label}</Badge>
            </Td>
            <Td className="min-w-36 py-2 sm:min-w-56 break-all">
              {/* The link covers the whole row. */}
              <Link href={hrefOf(item.url)} className="after:absolute after:inset-0 hover:underline">
                {shortUrl(item.url)}
              </Link>
            </Td>
            <Td className="py-2 sm:min-w-72">
              <Details item={item} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function ChangeItems({ items, hrefOf }: Props) {
  return (
    <ul aria-label="Differences">
      {items.map((item) => (
        <li
          key={item.url}
          className="relative flex flex-col items-start gap-1 border-b border-line p-3 last:border-b-0"
        >
          <Badge tone={DIFFERENCE_STYLES[item.change].tone}>{DIFFERENCE_STYLES[item.change].label}</Badge>
          <Link href={hrefOf(item.url)} className="max-w-full break-all after:absolute after:inset-0">
            {shortUrl(item.url)}
          </Link>
          <Details item={item} />
        </li>
      ))}
    </ul>
  )
}

function Details({ item }: { item: Difference }) {
  if (item.before !== null && item.after !== null) {
    return <FieldChanges changes={listFieldChanges(item.fields, item.before, item.after)} />
  }
  const fields = item.after ?? item.before
  return <span className="text-muted">{fields === null ? '' : formatField('state', fields['state'])}</span>
}
