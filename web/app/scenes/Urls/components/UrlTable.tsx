// biome-ignore-all lint/a11y/useSemanticElements: absolutely positioned rows cannot be part of a table element

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { useRowKeys } from '../../../hooks/useRowKeys.ts'
import { isRestoredNavigation } from '../../../page/restored-navigation.ts'
import { useStore } from '../../../page/store.ts'
import { formatNumber } from '../../../text/format.ts'
import { columnStore, shownColumns } from '../columns.tsx'
import type { Sort, UrlQuery } from '../filters.ts'
import { MAX_ROWS, useUrlPages } from '../useUrlPages.ts'
import { MissingUrlExplanation } from './MissingUrlExplanation.tsx'
import { HeaderRow, UrlRow } from './UrlRow.tsx'

const ROW_PX = 32

interface Props {
  crawlId: string
  listKey: string
  query: UrlQuery
  sort: Sort
  refreshMs: number | false
  onSort: (sort: Sort) => void
}

/** A virtualized table: only visible rows are in the DOM, and only their pages are in memory. */
export function UrlTable({ crawlId, listKey, query, sort, refreshMs, onSort }: Props) {
  const columns = shownColumns(useStore(columnStore))
  const isNarrow = useIsNarrow()
  const box = useRef<HTMLElement>(null)
  const [visible, setVisible] = useState(() => readStoredRange(listKey))
  const pages = useUrlPages(crawlId, query, { listKey, visible, intervalMs: refreshMs })
  const virtual = useVirtualizer({
    count: pages.rows,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialOffset: visible.first * ROW_PX,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? visible.first
  const last = items.at(-1)?.index ?? visible.last
  useEffect(() => setVisible({ first, last }), [first, last])
  useStoredScroll(listKey, box)
  useRowKeys({ noun: 'URL', rows: pages.rows, box, scrollTo: (index) => virtual.scrollToIndex(index) })

  // On a phone, the URL column is narrow enough to show the state beside it.
  const template = `${isNarrow ? '13rem' : 'minmax(14rem,5fr)'} ${columns.map(({ width }) => width).join(' ')}`
  const isEmpty = pages.rows === 0
  return (
    <ScrollArea ref={box} label="URLs" className="min-h-0 flex-1 bg-surface">
      <div role="table" aria-label="URLs" aria-rowcount={isEmpty ? 1 : pages.rows + 1} className="min-w-max">
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
          Only the first {formatNumber(MAX_ROWS)} URLs are listed. Add a filter, reverse the sort order, or export them.
        </p>
      ) : null}
      {isEmpty ? (
        <EmptyState icon="filter" title="No matching URLs">
          <MissingUrlExplanation crawlId={crawlId} text={query.text ?? ''} />
        </EmptyState>
      ) : null}
      {pages.error === null ? null : (
        <div className="sticky left-0">
          <ErrorState error={pages.error} onRetry={pages.refetch} />
          {sort.key === 'found' ? null : (
            <p className="pb-6 text-center">
              <Button onClick={() => onSort({ key: 'found', order: 'asc' })}>Clear sorting</Button>
            </p>
          )}
        </div>
      )}
    </ScrollArea>
  )
}

/** The rows that were visible when this list was last open. */
function readStoredRange(listKey: string): { first: number; last: number } {
  const top = isRestoredNavigation() ? Number(sessionStorage.getItem(`${listKey}#top`) ?? 0) : 0
  const first = Math.floor(top / ROW_PX)
  return { first, last: first + 40 }
}

/** Stores the scroll position of a list for the lifetime of the browser tab. */
function useStoredScroll(listKey: string, box: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const save = (): void => sessionStorage.setItem(`${listKey}#top`, String(element.scrollTop))
    element.addEventListener('scrollend', save)
    addEventListener('pagehide', save)
    return () => {
      element.removeEventListener('scrollend', save)
      removeEventListener('pagehide', save)
    }
  }, [listKey, box])
}
