import { Link } from 'wouter'
import { UrlText } from '../../../components/display/UrlText.tsx'
import { urlHref } from '../../../page/navigation.ts'
import type { UrlDetails } from '../../../server/api.ts'
import { formatNumber, shortUrl } from '../../../text/format.ts'
import { URL_STATE_STYLES } from '../../../text/states.ts'

type LinkedUrl = UrlDetails['lineage'][number]

/** The path of links from a start URL to this one. */
export function Lineage({ crawlId, links }: { crawlId: string; links: readonly LinkedUrl[] }) {
  return (
    <ol className="flex flex-col border-l-2 border-line pl-3">
      {links.map((link, step) => (
        <li key={link.url_id} className="flex min-w-0 items-baseline gap-2">
          <span className="w-16 shrink-0 text-xs text-muted">{step === 0 ? 'Start URL' : `Step ${step}`}</span>
          <LinkLine crawlId={crawlId} link={link} />
        </li>
      ))}
    </ol>
  )
}

export function UrlLinks({
  crawlId,
  links,
  emptyText,
}: {
  crawlId: string
  links: UrlDetails['inlinks']
  emptyText: string
}) {
  if (links.items.length === 0) return <p className="text-muted">{emptyText}</p>
  const total = links.total ?? links.items.length
  return (
    <>
      <ul className="flex max-h-72 flex-col overflow-y-auto rounded border border-line p-1">
        {links.items.map((link) => (
          <li key={link.url_id} className="min-w-0 px-1.5">
            <LinkLine crawlId={crawlId} link={link} />
          </li>
        ))}
      </ul>
      {total > links.items.length ? (
        <p className="mt-1 text-xs text-muted">
          {formatNumber(links.items.length)} of {formatNumber(total)}
        </p>
      ) : null}
    </>
  )
}

function LinkLine({ crawlId, link }: { crawlId: string; link: LinkedUrl }) {
  return (
    <Link
      href={urlHref(crawlId, link.url_id)}
      title={link.url}
      className="flex min-w-0 flex-1 items-center gap-2 leading-6 hover:underline"
    >
      <span
        role="img"
        aria-label={URL_STATE_STYLES[link.state].label}
        title={URL_STATE_STYLES[link.state].label}
        className="h-2 w-2 shrink-0 rounded-full"
        style={{ background: URL_STATE_STYLES[link.state].colour }}
      />
      <UrlText text={shortUrl(link.url)} />
      {link.title === null ? null : <span className="truncate text-xs text-muted">{link.title}</span>}
    </Link>
  )
}
