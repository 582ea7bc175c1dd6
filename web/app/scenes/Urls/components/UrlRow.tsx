// biome-ignore-all lint/a11y/useSemanticElements: absolutely positioned rows cannot be part of a table element

import { Link, useSearchParams } from 'wouter'
import { Icon } from '../../../components/display/Icon.tsx'
import { UrlText } from '../../../components/display/UrlText.tsx'
import { withValues } from '../../../page/query.ts'
import type { Url } from '../../../server/api.ts'
import { decodeText, shortUrl } from '../../../text/format.ts'
import type { Column } from '../columns.tsx'
import { nextSort, type Sort, type SortKey } from '../filters.ts'

interface RowProps {
  crawlId: string
  url: Url | undefined
  index: number
  top: number
  columns: readonly Column[]
  template: string
  /** URLs of this host are shown without it. */
  mainHost: string | null
}

export function UrlRow({ crawlId, url, index, top, columns, template, mainHost }: RowProps) {
  const [query] = useSearchParams()
  const href = url === undefined ? '' : `/crawls/${crawlId}/urls?${withValues(query, { url: String(url.url_id) })}`
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus is on the link in the row
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className="absolute left-0 grid h-8 w-full items-center border-b px-2 md:px-4 border-line hover:bg-hover"
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
    >
      <div role="rowheader" tabIndex={-1} className="min-w-0 truncate px-2">
        {url === undefined ? (
          <span className="block h-3 w-2/3 rounded bg-sunken" />
        ) : (
          <UrlLink
            url={url.url}
            text={url.host === mainHost ? decodeText(pathOf(url.url)) : shortUrl(url.url)}
            href={href}
          />
        )}
      </div>
      {columns.map((column) => {
        const shown = url === undefined ? null : ((column.show ?? column.value)(url) ?? NONE)
        return (
          <div
            key={column.id}
            role="cell"
            title={typeof shown === 'string' ? shown : undefined}
            className={`min-w-0 truncate px-2 ${column.isNumber === true ? 'text-right' : ''}`}
          >
            {shown}
          </div>
        )
      })}
    </div>
  )
}

function UrlLink({ url, text, href }: { url: string; text: string; href: string }) {
  return (
    <Link href={href} title={url} aria-label={text} className="block w-fit max-w-full hover:underline">
      <UrlText text={text} />
    </Link>
  )
}

const NONE = <span className="text-muted">–</span>

/** Everything after the host. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

interface HeaderProps {
  columns: readonly Column[]
  template: string
  sort: Sort
  onSort: (sort: Sort) => void
}

export function HeaderRow({ columns, template, sort, onSort }: HeaderProps) {
  const heads = [{ id: 'url', label: 'URL', sort: 'url' as SortKey, isNumber: false }, ...columns]
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus is on the buttons in the row
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-10 grid h-8 items-center border-b px-2 md:px-4 border-line bg-surface text-xs text-muted"
      style={{ gridTemplateColumns: template }}
    >
      {heads.map((head) => (
        <HeaderCell key={head.id} head={head} sort={sort} onSort={onSort} />
      ))}
    </div>
  )
}

type Head = Pick<Column, 'label' | 'sort' | 'isNumber'>

function HeaderCell({ head, sort, onSort }: { head: Head; sort: Sort; onSort: (sort: Sort) => void }) {
  const key = head.sort
  const order = sort.key === key ? sort.order : null
  const ariaSort = order === null ? 'none' : order === 'asc' ? 'ascending' : 'descending'
  return (
    <div
      role="columnheader"
      tabIndex={-1}
      aria-sort={key === undefined ? undefined : ariaSort}
      className={`truncate px-2 ${head.isNumber === true ? 'text-right' : ''}`}
    >
      {key === undefined ? (
        head.label
      ) : (
        <button
          type="button"
          onClick={() => onSort(nextSort(sort, key))}
          className="inline-flex items-center gap-1 rounded hover:text-ink"
        >
          {head.label}
          {order === null ? null : <Icon name={order === 'asc' ? 'up' : 'down'} size={12} />}
        </button>
      )}
    </div>
  )
}
