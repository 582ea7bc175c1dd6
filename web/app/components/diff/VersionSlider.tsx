import { IconButton } from '../controls/Button.tsx'

/** A slider over the versions of a page, oldest on the left, with buttons for single steps. */
export function VersionSlider({
  count,
  at,
  valueText,
  onMove,
}: {
  count: number
  /** Index, starting at 0. */
  at: number
  /** Text that screen readers read instead of the position. */
  valueText: string
  onMove: (at: number) => void
}) {
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Older version"
        icon="left"
        tip="top-right"
        className="h-7! w-7!"
        disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <input
        type="range"
        aria-label="Version"
        aria-valuetext={valueText}
        min={0}
        max={count - 1}
        step={1}
        value={at}
        onChange={(event) => onMove(Number(event.target.value))}
        className="h-7 min-w-0 flex-1 accent-accent"
      />
      <IconButton
        label="Newer version"
        icon="right"
        tip="left"
        className="h-7! w-7!"
        disabled={at === count - 1}
        onClick={() => onMove(at + 1)}
      />
    </div>
  )
}
