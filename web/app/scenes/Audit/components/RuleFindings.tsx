import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Button } from '../../../components/controls/Button.tsx'
import { DownloadLink } from '../../../components/controls/DownloadLink.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { client, routeUrl } from '../../../server/api.ts'
import { formatNumber, plural } from '../../../text/format.ts'
import { type AuditRule, NEED_TEXTS, SEVERITY_STYLES, skipText } from '../audit-text.ts'
import { FindingTable } from './FindingTable.tsx'

const PAGE_SIZE = 100

/** One rule: why it matters, what to do, and the list of its findings. */
export function RuleFindings({
  crawlId,
  rule,
  auditedAt,
  hrefOf,
}: {
  crawlId: string
  rule: AuditRule
  auditedAt: string
  hrefOf: (urlId: number) => string
}) {
  const params = { crawl_id: crawlId }
  const findings = useInfiniteQuery({
    queryKey: ['listAuditFindings', { params }, rule.rule, auditedAt],
    queryFn: ({ pageParam, signal }) =>
      client.listAuditFindings(
        {
          params,
          query: { rule: rule.rule, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchOnWindowFocus: false,
  })
  const items = findings.data?.pages.flatMap((page) => page.items) ?? []
  const count = rule.count ?? 0
  return (
    <>
      <nav aria-label="Rules">
        <Link href="?" className="text-accent hover:underline">
          All rules
        </Link>
      </nav>
      <Card>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h2 className="text-base font-semibold">{rule.title}</h2>
          <Badge tone={SEVERITY_STYLES[rule.severity].tone}>{SEVERITY_STYLES[rule.severity].label}</Badge>
          {rule.needs === null ? null : <Badge>{NEED_TEXTS[rule.needs]}</Badge>}
          <span className="ml-auto">
            <DownloadLink href={routeUrl('exportAudit', { params, query: { rule: rule.rule } })}>
              Export CSV
            </DownloadLink>
          </span>
        </div>
        <p className="mt-2">{rule.why}</p>
        <p className="mt-1 text-muted">
          <span className="font-medium text-ink">What to do: </span>
          {rule.fix}
        </p>
      </Card>
      <Card title="Findings" aside={rule.count === null ? undefined : plural(rule.count, 'finding')} isFlush>
        {findings.isPending ? <SkeletonRows /> : null}
        {findings.isError && findings.data === undefined ? (
          <ErrorState error={findings.error} onRetry={() => void findings.refetch()} />
        ) : null}
        {findings.data !== undefined && items.length === 0 ? <NoFindings rule={rule} /> : null}
        {items.length > 0 ? <FindingTable rule={rule} findings={items} hrefOf={hrefOf} /> : null}
        {findings.hasNextPage ? (
          <div className="p-2 text-center">
            <Button disabled={findings.isFetchingNextPage} onClick={() => void findings.fetchNextPage()}>
              Show more
            </Button>
          </div>
        ) : null}
        {!findings.hasNextPage && count > items.length && items.length > 0 ? (
          <p className="p-3 text-center text-xs text-muted">
            The first {formatNumber(items.length)} of {formatNumber(count)} are listed.
          </p>
        ) : null}
      </Card>
    </>
  )
}

function NoFindings({ rule }: { rule: AuditRule }) {
  if (rule.count !== null) return <EmptyState icon="check" title="Nothing found" />
  return (
    <EmptyState icon="minus" title="Not checked">
      {skipText(rule)}
    </EmptyState>
  )
}
