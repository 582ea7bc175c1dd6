import { IconButton } from '../../../components/controls/Button.tsx'

export function GraphCanvasControls({
  hasLayout,
  isPaused,
  isSettled,
  onPause,
  onFit,
  onZoom,
}: {
  hasLayout: boolean
  isPaused: boolean
  isSettled: boolean
  onPause: (isPaused: boolean) => void
  onFit: () => void
  onZoom: (isIn: boolean) => void
}) {
  const layout = isPaused ? 'Resume layout' : isSettled ? 'Layout finished' : 'Pause layout'
  return (
    <div
      data-over-graph
      className="absolute top-2 right-2 flex flex-col gap-1 rounded-lg border border-line bg-surface p-0.5"
    >
      <IconButton label="Zoom in (+)" icon="plus" tip="left" onClick={() => onZoom(true)} />
      <IconButton label="Zoom out (-)" icon="minus" tip="left" onClick={() => onZoom(false)} />
      <IconButton label="Fit to screen (f)" icon="fit" tip="left" onClick={onFit} />
      {hasLayout ? (
        <IconButton
          label={`${layout} (l)`}
          icon={isPaused ? 'play' : 'pause'}
          tip="left"
          aria-pressed={isPaused}
          onClick={() => onPause(!isPaused)}
        />
      ) : null}
    </div>
  )
}
