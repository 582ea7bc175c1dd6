// biome-ignore-all lint/a11y/useSemanticElements: absolutely positioned rows cannot be part of a table element

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { useRowKeys } from '../../../hooks/useRowKeys.ts'
import { isRestoredNavigation } from '../../../page/restored-navigation.ts'
import { formatNumber } from '../../../text/format.ts'
import type { Column } from '../columns.tsx'
import type { Sort, UrlQuery } from '../filters.ts'
import { MAX_ROWS, useUrlPages } from '../useUrlPages.ts'
import { MissingUrlExplanation } from './MissingUrlExplanation.tsx'
import { TablePager } from './TablePager.tsx'
import { UrlDetailsDrawer } from './UrlDetailsDrawer.tsx'
import { HeaderRow, UrlRow } from './UrlRow.tsx'

const ROW_PX = 32

interface Props {
  crawlId: string
  /** The host of the start URL. */
  mainHost: string | null
  listKey: string
  query: UrlQuery
  columns: readonly Column[]
  sort: Sort
  /** Number of URLs; null if unknown. */
  total: number | null
  refreshMs: number | false
  /** The URL whose details are open. */
  openUrlId: number | null
  /** `isStep`: from one URL to the next, without an entry in the history. */
  onOpen: (urlId: number | null, isStep: boolean) => void
  onSort: (sort: Sort) => void
}

/** A virtualized table: only visible rows are in the DOM, and only their pages are in memory. */
export function UrlTable(props: Props) {
  const { crawlId, mainHost, listKey, query, columns, sort, total, refreshMs, openUrlId, onOpen, onSort } = props
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
  // The details open from a visible row, and steps stay near it.
  const openRow = items.find(({ index }) => openUrlId !== null && pages.rowAt(index)?.url_id === openUrlId)?.index
  const step = (by: number): (() => void) | undefined => {
    const next = openRow === undefined ? undefined : pages.rowAt(openRow + by)?.url_id
    if (openRow === undefined || next === undefined) return undefined
    return () => {
      virtual.scrollToIndex(openRow + by)
      onOpen(next, true)
    }
  }
  const close = (): void => {
    onOpen(null, false)
    // After steps, the focus belongs to the row of the last URL.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${openRow}"] a`)?.focus())
  }
  return (
    <>
      <ScrollArea ref={box} label="URLs" className="scroll-shadows min-h-0 flex-1">
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
                mainHost={mainHost}
              />
            ))}
          </div>
        </div>
        {pages.rows === MAX_ROWS ? (
          <p className="p-3 text-muted">
            Only the first {formatNumber(MAX_ROWS)} URLs are listed. Add a filter, reverse the sort order, or export
            them.
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
      {isEmpty ? null : (
        <TablePager
          first={Math.floor((virtual.scrollOffset ?? 0) / ROW_PX)}
          pageRows={Math.max(1, Math.floor((virtual.scrollRect?.height ?? ROW_PX) / ROW_PX) - 1)}
          rows={pages.rows}
          total={total}
          onGo={(index) => virtual.scrollToIndex(index, { align: 'start' })}
        />
      )}
      {openUrlId === null ? null : (
        <UrlDetailsDrawer crawlId={crawlId} urlId={openUrlId} onPrevious={step(-1)} onNext={step(1)} onClose={close} />
      )}
    </>
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
