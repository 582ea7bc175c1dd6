import { Link } from 'wouter'
import { WordCounts } from '../../../components/diff/WordCounts.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { UrlText } from '../../../components/display/UrlText.tsx'
import { CHANGE_STYLES, type Change } from '../../../text/changes.ts'
import { formatDateTime, formatTime, shortUrl } from '../../../text/format.ts'

/** A change in two lines. The link covers the whole row. */
export function ChangeRow({ change, index, href }: { change: Change; index: number; href: string }) {
  const { kind, url, title, summary, at, words_added, words_removed } = change
  return (
    <article
      data-row={index}
      className="relative flex h-full flex-col justify-center gap-0.5 border-b border-line px-4 hover:bg-hover md:px-6"
    >
      <div className="flex items-center gap-2">
        <span className="flex w-20 shrink-0">
          <Badge tone={CHANGE_STYLES[kind].tone}>{CHANGE_STYLES[kind].label}</Badge>
        </span>
        <Link
          href={href}
          title={url}
          aria-label={shortUrl(url)}
          className="min-w-0 font-medium after:absolute after:inset-0 hover:underline focus-visible:after:outline-2"
        >
          <UrlText text={shortUrl(url)} />
        </Link>
        {title === null || title === summary ? null : (
          <span className="hidden min-w-0 shrink truncate text-muted md:inline">{title}</span>
        )}
        <time dateTime={at} title={formatDateTime(new Date(at))} className="ml-auto shrink-0 pl-2 text-xs text-muted">
          {formatTime(new Date(at))}
        </time>
      </div>
      <div className="flex items-center gap-2">
        <span className="w-20 shrink-0 text-xs">
          {words_added === null || words_removed === null ? null : (
            <WordCounts added={words_added} removed={words_removed} />
          )}
        </span>
        <span className="min-w-0 truncate text-muted">{summary}</span>
      </div>
    </article>
  )
}
