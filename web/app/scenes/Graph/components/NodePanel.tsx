import type { ReactNode } from 'react'
import { LedgerBar, presentStates } from '../../../components/charts/LedgerBar.tsx'
import { Button, IconButton, LinkButton } from '../../../components/controls/Button.tsx'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { StateBadge } from '../../../components/display/Badge.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import type { GraphNode } from '../../../graph/graph-model.ts'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { useApi } from '../../../server/api.ts'
import { formatNumber, formatShare, plural, shortUrl } from '../../../text/format.ts'
import { describeOutcome } from '../describe-outcome.ts'

/** What is known of the chosen node. */
export function NodePanel({
  crawlId,
  node,
  onClose,
  onAround,
  onUnder,
  onChooseUrl,
}: {
  crawlId: string
  node: GraphNode
  onClose: () => void
  onAround: (urlId: number) => void
  onUnder: (label: string) => void
  onChooseUrl: (urlId: number) => void
}) {
  return (
    <aside
      aria-label="Chosen node"
      className="flex w-full shrink-0 flex-col rounded-lg border border-line bg-surface lg:w-80 lg:overflow-y-auto"
    >
      <header className="flex items-start justify-between gap-1 border-b border-line py-1 pr-1 pl-3">
        <h2 className="min-w-0 py-1.5 font-semibold break-all">{shortUrl(node.label)}</h2>
        <span className="flex shrink-0 items-center pt-0.5">
          <CopyButton text={node.label} label="Copy the address" />
          <IconButton label="Close" icon="close" tip="left" onClick={onClose} />
        </span>
      </header>
      {node.url_id === null ? (
        <GroupFacts crawlId={crawlId} node={node} onUnder={onUnder} />
      ) : (
        <UrlFacts crawlId={crawlId} urlId={node.url_id} node={node} onAround={onAround} onChooseUrl={onChooseUrl} />
      )}
    </aside>
  )
}

function GroupFacts({
  crawlId,
  node,
  onUnder,
}: {
  crawlId: string
  node: GraphNode
  onUnder: (label: string) => void
}) {
  return (
    <>
      <Facts>
        <Fact name="Urls">{formatNumber(node.urls)}</Fact>
        <Fact name="Host">{node.host}</Fact>
        <Fact name="Least depth">{formatNumber(node.depth)}</Fact>
        <Fact name="Links here">{formatNumber(node.inlinks)}</Fact>
      </Facts>
      {node.states === null ? null : <Shares states={node.states} urls={node.urls} />}
      <Actions>
        <Button look="primary" icon="down" onClick={() => onUnder(node.label)}>
          Go into it
        </Button>
        <LinkButton icon="crawls" href={urlsHref(crawlId, { host: node.host })}>
          Urls of the host
        </LinkButton>
      </Actions>
    </>
  )
}

/** How many urls of a group stand where. */
function Shares({ states, urls }: { states: NonNullable<GraphNode['states']>; urls: number }) {
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      <LedgerBar states={states} />
      <ul aria-label="States of its urls">
        {presentStates(states).map(({ state, count }) => (
          <li key={state} className="flex items-center justify-between gap-3">
            <StateBadge state={state} />
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
  onAround,
  onChooseUrl,
}: {
  crawlId: string
  urlId: number
  node: GraphNode
  onAround: (urlId: number) => void
  onChooseUrl: (urlId: number) => void
}) {
  const record = useApi('getUrl', { params: { crawl_id: crawlId, url_id: urlId } })
  if (record.isPending) return <SkeletonRows rows={5} />
  if (record.isError) return <ErrorState error={record.error} onRetry={() => void record.refetch()} />
  const { url, lineage } = record.data
  const parent = lineage.at(-2)
  return (
    <>
      <Facts>
        {url.title === null ? null : <Fact name="Title">{url.title}</Fact>}
        <Fact name="State">
          <StateBadge state={url.state} />
        </Fact>
        <Fact name="Ended with">{describeOutcome(url)}</Fact>
        <Fact name="Depth">{formatNumber(url.depth)}</Fact>
        <Fact name="Parent">
          {parent === undefined ? (
            'none: a start url'
          ) : (
            <button
              type="button"
              className="text-left break-all text-accent underline"
              onClick={() => onChooseUrl(parent.url_id)}
            >
              {shortUrl(parent.url)}
            </button>
          )}
        </Fact>
        <Fact name="Retries">{plural(Math.max(0, url.attempts - 1), 'retry', 'retries')}</Fact>
        <Fact name="Links here">{formatNumber(node.inlinks)}</Fact>
        <Fact name="Link rank">{formatShare(node.rank)}</Fact>
      </Facts>
      <Actions>
        <LinkButton look="primary" icon="clock" href={urlHref(crawlId, urlId)}>
          Flight recorder
        </LinkButton>
        <Button icon="graph" onClick={() => onAround(urlId)}>
          Neighbourhood
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
