import { Link } from 'wouter'
import { Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { shortUrl } from '../../../text/format.ts'
import { type AuditFinding, type AuditRule, findingColumns } from '../audit-text.ts'

export function FindingTable({
  rule,
  findings,
  hrefOf,
}: {
  rule: AuditRule
  findings: readonly AuditFinding[]
  hrefOf: (urlId: number) => string
}) {
  const columns = findingColumns(rule.rule, findings)
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
              <UrlLink href={hrefOf(finding.url_id)} url={finding.url} />
            </Td>
            {columns.other === null ? null : (
              <Td className="max-w-md min-w-48 py-1.5 align-top">
                <OtherUrl finding={finding} hrefOf={hrefOf} />
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

function OtherUrl({ finding, hrefOf }: { finding: AuditFinding; hrefOf: (urlId: number) => string }) {
  const { other_url: url, other_url_id: id } = finding
  if (url === null) return null
  if (id === null) return <span className="break-all">{shortUrl(url)}</span>
  return <UrlLink href={hrefOf(id)} url={url} />
}

function UrlLink({ href, url }: { href: string; url: string }) {
  return (
    <Link href={href} title={url} className="break-all hover:underline">
      {shortUrl(url)}
    </Link>
  )
}
