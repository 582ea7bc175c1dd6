import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { useRowKeys } from '../../../hooks/useRowKeys.ts'
import type { Change } from '../../../text/changes.ts'
import { formatDay, plural } from '../../../text/format.ts'
import { toTimeline } from '../timeline.ts'
import type { ChangePages } from '../useChanges.ts'
import { ChangeRow } from './ChangeRow.tsx'

const DAY_PX = 36
const CHANGE_PX = 56
/** More rows are loaded when this many are left below. */
const AHEAD = 20

/** A virtualized timeline: only visible rows are in the DOM. */
export function ChangeList({
  pages,
  hrefOf,
  onScroll,
}: {
  pages: ChangePages
  hrefOf: (change: Change) => string
  onScroll: (isAtTop: boolean) => void
}) {
  const box = useRef<HTMLElement>(null)
  const rows = toTimeline(pages.changes, pages.hasMore)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (rows[index]?.kind === 'day' ? DAY_PX : CHANGE_PX),
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : row.kind === 'day' ? row.day.getTime() : `change ${row.change.change_id}`
    },
    overscan: 8,
  })
  const isAtTop = (virtual.scrollOffset ?? 0) < CHANGE_PX
  useEffect(() => onScroll(isAtTop), [isAtTop, onScroll])
  const items = virtual.getVirtualItems()
  useEffect(() => {
    if ((items.at(-1)?.index ?? 0) > rows.length - AHEAD) pages.loadMore()
  })
  useRowKeys({
    noun: 'change',
    rows: pages.changes.length,
    box,
    scrollTo: (index) => virtual.scrollToIndex(rows.findIndex((row) => row.kind === 'change' && row.index === index)),
  })

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {pages.hasNews ? (
        <div role="status" className="absolute inset-x-0 top-2 z-20 text-center">
          <Button
            variant="primary"
            icon="up"
            onClick={() => {
              virtual.scrollToOffset(0)
              pages.refresh()
            }}
          >
            Show new changes
          </Button>
        </div>
      ) : null}
      <ScrollArea ref={box} label="Changes" className="scroll-shadows min-h-0 flex-1">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <div
                key={item.key}
                className="absolute left-0 w-full"
                style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              >
                {row.kind === 'change' ? (
                  <ChangeRow change={row.change} index={row.index} href={hrefOf(row.change)} />
                ) : (
                  <h2 className="flex h-full items-end justify-between border-b border-line bg-sunken px-4 pb-1.5 font-semibold md:px-6">
                    {formatDay(row.day, new Date())}
                    <span className="text-xs font-normal text-muted">
                      {row.count === null ? '' : plural(row.count, 'change')}
                    </span>
                  </h2>
                )}
              </div>
            )
          })}
        </div>
      </ScrollArea>
    </div>
  )
}
