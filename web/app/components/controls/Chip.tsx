import type { ReactNode } from 'react'
import { Icon } from '../display/Icon.tsx'

/** An active filter that can be removed. */
export function Chip({ children, label, onRemove }: { children: ReactNode; label: string; onRemove: () => void }) {
  return (
    <span className="inline-flex h-6 max-w-full items-center gap-1 rounded-full border border-line bg-accent-soft pr-0.5 pl-2.5 text-xs">
      <span className="truncate">{children}</span>
      <button
        type="button"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
        className="grid h-5 w-5 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-ink"
      >
        <Icon name="close" size={12} />
      </button>
    </span>
  )
}

/** A filter that can be on or off. */
export function ToggleChip({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      className={`inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs ${
        isOn ? 'border-accent bg-accent-soft text-ink' : 'border-line text-muted hover:bg-hover hover:text-ink'
      }`}
    >
      {children}
    </button>
  )
}
