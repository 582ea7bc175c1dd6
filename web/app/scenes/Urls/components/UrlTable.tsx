// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand cannot be those of a table element

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { useShortcuts } from '../../../hooks/useShortcuts.ts'
import { isRestoredNavigation } from '../../../page/restored-navigation.ts'
import { useStore } from '../../../page/store.ts'
import { columnStore, shownColumns } from '../columns.tsx'
import type { Sort, UrlQuery } from '../filters.ts'
import { MAX_ROWS, useUrlPages } from '../useUrlPages.ts'
import { MissingUrlExplanation } from './MissingUrlExplanation.tsx'
import { HeaderRow, UrlRow } from './UrlRow.tsx'

const ROW_PX = 32

interface Props {
  crawlId: string
  place: string
  query: UrlQuery
  sort: Sort
  refreshMs: number | false
  onSort: (sort: Sort) => void
}

/** Only the rows in sight are in the page, and only their pages are in memory. */
export function UrlTable({ crawlId, place, query, sort, refreshMs, onSort }: Props) {
  const columns = shownColumns(useStore(columnStore))
  const isNarrow = useIsNarrow()
  const box = useRef<HTMLElement>(null)
  const [inSight, setInSight] = useState(() => readStoredRange(place))
  const pages = useUrlPages(crawlId, query, { place, inSight, everyMs: refreshMs })
  const virtual = useVirtualizer({
    count: pages.rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialOffset: inSight.first * ROW_PX,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? inSight.first
  const last = items.at(-1)?.index ?? inSight.last
  useEffect(() => setInSight({ first, last }), [first, last])
  useStoredScroll(place, box)
  useRowKeys((index) => virtual.scrollToIndex(index), pages.rows, box)

  // On a phone the state is in sight beside the url; the rest is scrolled to.
  const template = `${isNarrow ? '13rem' : 'minmax(14rem,5fr)'} ${columns.map(({ width }) => width).join(' ')}`
  const isEmpty = pages.rows === 0
  return (
    <ScrollArea ref={box} label="Urls" className="min-h-0 flex-1 bg-surface">
      <div role="table" aria-label="Urls" aria-rowcount={isEmpty ? 1 : pages.rows + 1} className="min-w-max">
        <HeaderRow columns={columns} template={template} sort={sort} onSort={onSort} />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => (
            <UrlRow
              key={item.index}
              crawlId={crawlId}
              url={pages.rowAt(item.index)}
              index={item.index}
              top={item.start}
              columns={columns}
              template={template}
            />
          ))}
        </div>
      </div>
      {pages.rows === MAX_ROWS ? (
        <p className="p-3 text-muted">
          The table ends here. Narrow it down with filters, sort it the other way, or export it.
        </p>
      ) : null}
      {isEmpty ? (
        <EmptyState icon="filter" title="No url is like this">
          <MissingUrlExplanation crawlId={crawlId} text={query.text ?? ''} />
        </EmptyState>
      ) : null}
      {pages.error === null ? null : (
        <div className="sticky left-0">
          <ErrorState error={pages.error} onRetry={pages.refetch} />
          {sort.key === 'found' ? null : (
            <p className="pb-6 text-center">
              <Button onClick={() => onSort({ key: 'found', order: 'asc' })}>Do not sort</Button>
            </p>
          )}
        </div>
      )}
    </ScrollArea>
  )
}

/** The rows that were in sight when this list was last looked at. */
function readStoredRange(place: string): { first: number; last: number } {
  const top = isRestoredNavigation() ? Number(sessionStorage.getItem(`${place}#top`) ?? 0) : 0
  const first = Math.floor(top / ROW_PX)
  return { first, last: first + 40 }
}

/** Keeps the place of a list for as long as the tab lives. */
function useStoredScroll(place: string, box: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const keep = (): void => sessionStorage.setItem(`${place}#top`, String(element.scrollTop))
    element.addEventListener('scrollend', keep)
    addEventListener('pagehide', keep)
    return () => {
      element.removeEventListener('scrollend', keep)
      removeEventListener('pagehide', keep)
    }
  }, [place, box])
}

/** j and k go through the rows; Enter then opens the one that has the focus, being a link. */
function useRowKeys(scrollTo: (index: number) => void, rows: number, box: React.RefObject<HTMLElement | null>): void {
  const move = (by: number): void => {
    const current = document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? null
    const index = Math.max(0, Math.min(rows - 1, current === null ? 0 : Number(current) + by))
    scrollTo(index)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus())
  }
  useShortcuts([
    { keys: 'j', label: 'Next url', run: () => move(1) },
    { keys: 'k', label: 'Url before', run: () => move(-1) },
  ])
}
