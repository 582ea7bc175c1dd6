import { keepPreviousData } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Select } from '../../../components/controls/Input.tsx'
import { DotBadge } from '../../../components/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../components/display/EmptyState.tsx'
import { Icon } from '../../../components/display/Icon.tsx'
import { Skeleton } from '../../../components/display/Skeleton.tsx'
import { toBreadcrumbs } from '../../../graph/breadcrumbs.ts'
import { useIsNarrow } from '../../../hooks/useIsNarrow.ts'
import { urlHref, urlsHref } from '../../../page/navigation.ts'
import { useApi } from '../../../server/api.ts'
import { formatBytes, plural } from '../../../text/format.ts'
import { type Cell, type Folders, isTarget, layOutCells } from '../../../treemap/cells.ts'
import { nextCell } from '../../../treemap/next-cell.ts'
import { shadeBackground, stateShades, TIME_LEGEND, timeShade } from '../../../treemap/shades.ts'
import { cellName, cellTitle } from '../../../treemap/texts.ts'
import { AREAS, type GraphViewState, SHADES, writeViewState } from '../view-state.ts'
import { StateLegend } from './StateLegend.tsx'

const AREA_LABELS = { urls: 'URLs', bytes: 'Bytes' } as const
const SHADE_LABELS = { state: 'State', time: 'Response time' } as const
/** Folders and URLs of a level; more would be too small to see. */
const LEVEL_LIMITS = { wide: 150, narrow: 40 } as const

interface TreemapProps {
  crawlId: string
  viewState: GraphViewState
  update: (change: Partial<GraphViewState>, isHistoryEntry?: boolean) => void
}

/** The site by path as nested rectangles, one level at a time. */
export function Treemap({ crawlId, viewState, update }: TreemapProps) {
  const { under } = viewState
  const first = useFirstBranch(crawlId)
  const shownLabel = under ?? first
  const level = useLevel(crawlId, shownLabel)
  const levelHref = (label: string | null) =>
    `/crawls/${crawlId}/graph?${writeViewState({ ...viewState, under: label })}`
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <LevelPath under={shownLabel} hrefOf={levelHref} />
        <Choice
          label="Area"
          value={viewState.area}
          choices={AREAS}
          labels={AREA_LABELS}
          onChange={(area) => update({ area })}
        />
        <Choice
          label="Colour"
          value={viewState.shade}
          choices={SHADES}
          labels={SHADE_LABELS}
          onChange={(shade) => update({ shade })}
        />
      </div>
      {level.isPending ? <Skeleton className="min-h-96 flex-1" /> : null}
      {level.data === undefined && level.isError ? (
        <ErrorState error={level.error} onRetry={() => void level.refetch()} />
      ) : null}
      {level.data === undefined ? null : (
        <>
          <Cells crawlId={crawlId} level={level.data} viewState={viewState} hrefOf={levelHref} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
            <span className="text-muted" role="status">
              {plural(level.data.urls, 'URL')}, {formatBytes(level.data.bytes)}
              {level.data.is_complete ? '' : ' (of the URLs discovered first)'}
            </span>
            {viewState.shade === 'state' ? (
              <StateLegend level={level.data} />
            ) : (
              <ul aria-label="Legend" className="flex flex-wrap gap-x-4">
                {TIME_LEGEND.map(({ label, colour }) => (
                  <li key={label}>
                    <DotBadge label={label} colour={colour} />
                  </li>
                ))}
              </ul>
            )}
          </div>
        </>
      )}
    </>
  )
}

/** The first level with more than one folder: those above it show nothing. Null for that of all hosts. */
function useFirstBranch(crawlId: string): string | null {
  const top = useLevel(crawlId, null)
  const [skippedTo, setSkippedTo] = useState<string | null>(null)
  const level = useLevel(crawlId, skippedTo)
  const below = level.isPlaceholderData ? null : onlyFolder(level.data)
  if (below !== null) setSkippedTo(below)
  return onlyFolder(top.data) === null ? null : skippedTo
}

function onlyFolder(level: Folders | undefined): string | null {
  return level?.total_own_urls === 0 && level.folders.length === 1 ? (level.folders[0]?.label ?? null) : null
}

function useLevel(crawlId: string, under: string | null) {
  const limit = LEVEL_LIMITS[useIsNarrow() ? 'narrow' : 'wide']
  return useApi(
    'getFolders',
    { params: { crawl_id: crawlId }, query: { limit, ...(under === null ? {} : { under }) } },
    { placeholderData: keepPreviousData },
  )
}

function Cells({
  crawlId,
  level,
  viewState,
  hrefOf,
}: {
  crawlId: string
  level: Folders
  viewState: GraphViewState
  hrefOf: (label: string | null) => string
}) {
  const box = useRef<HTMLElement>(null)
  const [, navigate] = useLocation()
  const size = useElementSize(box)
  const cells = layOutCells(level, viewState.area, size)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace' && level.label !== null) {
      event.preventDefault()
      return navigate(hrefOf(toBreadcrumbs(level.label).at(-2)?.under ?? null))
    }
    const at = cells.find(({ key }) => key === (event.target as HTMLElement).dataset['cell'])
    const next = at === undefined ? null : nextCell(cells, at, event.key)
    if (next === null) return
    event.preventDefault()
    box.current?.querySelector<HTMLElement>(`[data-cell="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    <section
      ref={box}
      aria-label="Treemap. Arrow keys move between cells, Enter opens one, Backspace goes up."
      onKeyDown={onKeyDown}
      className="relative h-[32rem] min-h-96 w-full overflow-hidden rounded-lg border border-line bg-surface lg:h-auto lg:flex-1"
    >
      {level.urls === 0 ? <EmptyState icon="tree" title="No URLs yet" /> : null}
      {size.width === 0
        ? null
        : cells.map((cell) => (
            <CellLink
              key={cell.key}
              cell={cell}
              shade={viewState.shade}
              href={
                cell.content.kind === 'folder'
                  ? hrefOf(cell.content.folder.label)
                  : cell.content.kind === 'url'
                    ? urlHref(crawlId, cell.content.url.url_id)
                    : urlsHref(crawlId, level.label === null ? {} : { text: level.label })
              }
            />
          ))}
    </section>
  )
}

function CellLink({ cell, shade, href }: { cell: Cell; shade: GraphViewState['shade']; href: string }) {
  const { content, x, y, width, height, depth } = cell
  const background = shadeBackground(shade === 'state' ? stateShades(content) : timeShade(content))
  const style = { left: x, top: y, width, height, background }
  if (!isTarget(cell)) return <div title={cellTitle(content)} className="absolute border border-ink/15" style={style} />
  return (
    <Link
      href={href}
      data-cell={cell.key}
      title={cellTitle(content)}
      className={`absolute block overflow-hidden border px-1 text-left text-xs leading-5 hover:border-ink focus-visible:z-10 focus-visible:-outline-offset-2 ${
        depth > 0 ? 'border-ink/15' : 'rounded border-edge/60'
      }`}
      style={style}
    >
      <span className="sr-only">{cellTitle(content)}</span>
      <span aria-hidden className="flex gap-2">
        <span className={`min-w-0 truncate ${content.kind === 'folder' && depth === 0 ? 'font-semibold' : ''}`}>
          {cellName(content)}
        </span>
        {content.kind === 'folder' && width > 150 ? (
          <span className="ml-auto shrink-0">{plural(content.folder.urls, 'URL')}</span>
        ) : null}
      </span>
    </Link>
  )
}

function LevelPath({ under, hrefOf }: { under: string | null; hrefOf: (label: string | null) => string }) {
  const steps = [{ name: 'All', under: null }, ...(under === null ? [] : toBreadcrumbs(under))]
  return (
    <nav aria-label="Path" className="flex w-full min-w-0 flex-wrap items-center gap-0.5 md:w-auto md:flex-1">
      {steps.map((step, i) => (
        <span key={step.under} className="flex min-w-0 items-center">
          {i === 0 ? null : <Icon name="right" size={12} className="text-muted" />}
          <Link
            href={hrefOf(step.under)}
            aria-current={i === steps.length - 1 ? 'page' : undefined}
            className="max-w-48 truncate rounded px-1.5 py-1 font-medium hover:bg-hover"
          >
            {step.name}
          </Link>
        </span>
      ))}
    </nav>
  )
}

function Choice<T extends string>({
  label,
  value,
  choices,
  labels,
  onChange,
}: {
  label: string
  value: T
  choices: readonly T[]
  labels: Record<T, string>
  onChange: (value: T) => void
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the select is inside
    <label className="flex items-center gap-1.5 text-xs whitespace-nowrap text-muted">
      {label}
      <Select value={value} onChange={(event) => onChange(event.target.value as T)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {labels[choice]}
          </option>
        ))}
      </Select>
    </label>
  )
}

function useElementSize(element: React.RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
