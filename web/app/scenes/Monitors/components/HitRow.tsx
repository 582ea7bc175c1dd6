import { Link } from 'wouter'
import { Badge } from '../../../components/display/Badge.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { shortUrl } from '../../../text/format.ts'
import type { Hit } from '../useHits.ts'

/** A hit in two lines. The link covers the whole row. */
export function HitRow({ hit, hasName, href }: { hit: Hit; hasName: boolean; href: string }) {
  return (
    <li className="relative flex flex-col gap-0.5 border-b border-line px-3 py-2 last:border-b-0 hover:bg-hover">
      <div className="flex items-center gap-2">
        <HitState hit={hit} />
        <Link
          href={href}
          title={hit.url}
          className="min-w-0 truncate font-medium after:absolute after:inset-0 hover:underline"
        >
          {shortUrl(hit.url)}
        </Link>
        {hasName ? <span className="hidden shrink-0 text-muted sm:inline">{hit.monitor_name}</span> : null}
        <span className="ml-auto shrink-0 pl-2 text-xs text-muted">
          <RelativeTime at={hit.at} />
        </span>
      </div>
      <p className="truncate text-muted">
        {hasName ? <span className="sm:hidden">{hit.monitor_name}: </span> : null}
        {hit.summary}
      </p>
    </li>
  )
}

export function HitState({ hit }: { hit: Hit }) {
  return (
    <>
      {hit.acknowledged_at === null ? <Badge tone="warn">Open</Badge> : <Badge>Acknowledged</Badge>}
      {hit.muted ? <Badge>Muted</Badge> : null}
    </>
  )
}
