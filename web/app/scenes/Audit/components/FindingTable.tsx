import { Link } from 'wouter'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { type AuditFinding, type AuditRule, commonOrigin, findingColumns, withoutOrigin } from '../audit-text.ts'

interface FindingListProps {
  rule: AuditRule
  findings: readonly AuditFinding[]
  hrefOf: (urlId: number) => string
}

/** A table, or a list on phones, where columns would be too narrow. */
export function FindingTable(props: FindingListProps) {
  const { rule, findings, hrefOf } = props
  const columns = findingColumns(rule.rule, findings)
  const origin = commonOrigin(findings)
  if (useIsNarrow()) return <NarrowList {...props} origin={origin} />
  return (
    <Table label={rule.title}>
      <thead>
        <tr>
          <Th>URL</Th>
          {columns.other === null ? null : <Th>{columns.other}</Th>}
          {columns.text === null ? null : <Th>{columns.text}</Th>}
          <Th>Detail</Th>
        </tr>
      </thead>
      <tbody>
        {findings.map((finding, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a URL may have several findings, and the list only grows.
          <Tr key={index}>
            <Td className="max-w-md min-w-48 py-1.5 align-top">
              <UrlLink href={hrefOf(finding.url_id)} url={finding.url} origin={origin} />
            </Td>
            {columns.other === null ? null : (
              <Td className="max-w-md min-w-48 py-1.5 align-top">
                <OtherUrl finding={finding} hrefOf={hrefOf} origin={origin} />
              </Td>
            )}
            {columns.text === null ? null : (
              <Td className="max-w-xs min-w-32 py-1.5 align-top break-words">{finding.text}</Td>
            )}
            <Td className="max-w-md min-w-48 py-1.5 align-top break-words text-muted">{finding.detail}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

function NarrowList({ rule, findings, hrefOf, origin }: FindingListProps & { origin: string }) {
  const columns = findingColumns(rule.rule, findings)
  return (
    <ul aria-label={rule.title}>
      {findings.map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a URL may have several findings, and the list only grows.
        <li key={index} className="flex flex-col gap-1.5 border-b border-line px-3 py-2 last:border-b-0">
          <UrlLink href={hrefOf(finding.url_id)} url={finding.url} origin={origin} />
          {finding.other_url === null ? null : (
            <div className="flex gap-1.5">
              <span className="shrink-0 text-muted">{columns.other}</span>
              <div className="min-w-0">
                <OtherUrl finding={finding} hrefOf={hrefOf} origin={origin} />
              </div>
            </div>
          )}
          {finding.text === null ? null : <span className="break-words">{finding.text}</span>}
          <span className="text-xs break-words text-muted">{finding.detail}</span>
        </li>
      ))}
    </ul>
  )
}

interface OtherUrlProps {
  finding: AuditFinding
  hrefOf: (urlId: number) => string
  origin: string
}

function OtherUrl({ finding, hrefOf, origin }: OtherUrlProps) {
  const { other_url: url, other_url_id: id } = finding
  if (url === null) return null
  if (id === null) return <span className="break-all">{withoutOrigin(url, origin)}</span>
  return <UrlLink href={hrefOf(id)} url={url} origin={origin} />
}

function UrlLink({ href, url, origin }: { href: string; url: string; origin: string }) {
  return (
    <Link href={href} title={url} className="break-all text-ink hover:underline">
      {withoutOrigin(url, origin)}
    </Link>
  )
}
