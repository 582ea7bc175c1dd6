import type { ReactNode } from 'react'
import { LedgerBar } from '../../../components/charts/LedgerBar.tsx'
import { Button, IconButton, LinkButton } from '../../../components/controls/Button.tsx'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { DotBadge, StateBadge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import type { GraphNode } from '../../../graph/graph-model.ts'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { useApi } from '../../../server/api.ts'
import { formatNumber, formatShare, shortUrl } from '../../../text/format.ts'
import { ledgerParts } from '../../../text/ledger.ts'
import { describeOutcome } from '../describe-outcome.ts'

/** Details of the selected node. */
export function NodePanel({
  crawlId,
  node,
  onClose,
  onShowNeighbours,
  onOpenGroup,
  onSelectUrl,
}: {
  crawlId: string
  node: GraphNode
  onClose: () => void
  onShowNeighbours: (urlId: number) => void
  onOpenGroup: (label: string) => void
  onSelectUrl: (urlId: number) => void
}) {
  return (
    <aside
      aria-label="Selected node"
      className="flex w-full shrink-0 flex-col rounded-lg border border-line bg-surface lg:w-80 lg:overflow-y-auto"
    >
      <header className="flex items-start justify-between gap-1 border-b border-line py-1 pr-1 pl-3">
        <h2 className="min-w-0 py-1.5 font-semibold break-all">{shortUrl(node.label)}</h2>
        <span className="flex shrink-0 items-center pt-0.5">
          <CopyButton text={node.label} label="Copy URL" />
          <IconButton label="Close" icon="close" tip="left" onClick={onClose} />
        </span>
      </header>
      {node.url_id === null ? (
        <GroupFacts crawlId={crawlId} node={node} onOpenGroup={onOpenGroup} />
      ) : (
        <UrlFacts
          crawlId={crawlId}
          urlId={node.url_id}
          node={node}
          onShowNeighbours={onShowNeighbours}
          onSelectUrl={onSelectUrl}
        />
      )}
    </aside>
  )
}

function GroupFacts({
  crawlId,
  node,
  onOpenGroup,
}: {
  crawlId: string
  node: GraphNode
  onOpenGroup: (label: string) => void
}) {
  return (
    <>
      <Facts>
        <Fact name="URLs">{formatNumber(node.urls)}</Fact>
        <Fact name="Host">{node.host}</Fact>
        <Fact name="Min depth">{formatNumber(node.depth)}</Fact>
        <Fact name="Incoming links">{formatNumber(node.inlinks)}</Fact>
      </Facts>
      {node.states === null ? null : <StateShares states={node.states} urls={node.urls} />}
      <Actions>
        <Button variant="primary" icon="down" onClick={() => onOpenGroup(node.label)}>
          Open group
        </Button>
        <LinkButton icon="crawls" href={urlsHref(crawlId, { host: node.host })}>
          View host URLs
        </LinkButton>
      </Actions>
    </>
  )
}

/** The URLs of a group by state. */
function StateShares({ states, urls }: { states: NonNullable<GraphNode['states']>; urls: number }) {
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      <LedgerBar states={states} />
      <ul aria-label="URL states">
        {ledgerParts(states)
          .filter(({ count }) => count > 0)
          .map(({ key, label, colour, count }) => (
            <li key={key} className="flex items-center justify-between gap-3">
              <DotBadge colour={colour} label={label} />
              <span className="text-muted">
                {formatNumber(count)}, {formatShare(count / urls)}
              </span>
            </li>
          ))}
      </ul>
    </div>
  )
}

function UrlFacts({
  crawlId,
  urlId,
  node,
  onShowNeighbours,
  onSelectUrl,
}: {
  crawlId: string
  urlId: number
  node: GraphNode
  onShowNeighbours: (urlId: number) => void
  onSelectUrl: (urlId: number) => void
}) {
  const details = useApi('getUrl', { params: { crawl_id: crawlId, url_id: urlId } })
  if (details.isPending) return <SkeletonRows rows={5} />
  if (details.isError) return <ErrorState error={details.error} onRetry={() => void details.refetch()} />
  const { url, lineage } = details.data
  const parent = lineage.at(-2)
  return (
    <>
      <Facts>
        {url.title === null ? null : <Fact name="Title">{url.title}</Fact>}
        <Fact name="State">
          <StateBadge state={url.state} reason={url.reason} />
        </Fact>
        <Fact name="Outcome">{describeOutcome(url)}</Fact>
        <Fact name="Depth">{formatNumber(url.depth)}</Fact>
        <Fact name="Parent">
          {parent === undefined ? (
            'None (start URL)'
          ) : (
            <button
              type="button"
              className="text-left break-all text-accent underline"
              onClick={() => onSelectUrl(parent.url_id)}
            >
              {shortUrl(parent.url)}
            </button>
          )}
        </Fact>
        <Fact name="Retries">{formatNumber(Math.max(0, url.attempts - 1))}</Fact>
        <Fact name="Incoming links">{formatNumber(node.inlinks)}</Fact>
        <Fact name="Link rank">{formatShare(node.rank)}</Fact>
      </Facts>
      <Actions>
        <LinkButton variant="primary" icon="clock" href={urlHref(crawlId, urlId)}>
          URL details
        </LinkButton>
        <Button icon="graph" onClick={() => onShowNeighbours(urlId)}>
          Show neighbours
        </Button>
      </Actions>
    </>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1.5 p-3">{children}</dl>
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function Actions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap gap-2 border-t border-line p-3">{children}</div>
}
