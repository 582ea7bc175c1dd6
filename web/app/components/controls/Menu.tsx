import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { IconName } from '../display/Icon.tsx'
import { Button, type ButtonVariant } from './Button.tsx'

/** A button that opens a panel. Escape, a click outside and the `close` callback close it. */
export function Menu({
  label,
  icon,
  variant,
  isLabelHidden = false,
  side = 'right',
  children,
}: {
  label: string
  icon?: IconName
  variant?: ButtonVariant
  isLabelHidden?: boolean
  /** The edge on which button and panel align. */
  side?: 'left' | 'right'
  children: (close: () => void) => ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const onPointer = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) === false) setIsOpen(false)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      box.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [isOpen])

  return (
    <div ref={box} className="relative">
      <Button
        {...(icon === undefined ? {} : { icon })}
        {...(variant === undefined ? {} : { variant })}
        aria-expanded={isOpen}
        aria-label={isLabelHidden ? label : undefined}
        title={isLabelHidden ? label : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isLabelHidden ? null : label}
      </Button>
      {isOpen ? (
        <div
          className={`absolute top-full ${side === 'right' ? 'right-0' : 'left-0'} z-30 mt-1 max-h-[70vh] min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-float`}
        >
          {children(() => setIsOpen(false))}
        </div>
      ) : null}
    </div>
  )
}

export function MenuItem({
  children,
  onSelect,
  isDanger = false,
  disabled = false,
}: {
  children: ReactNode
  onSelect: () => void
  isDanger?: boolean
  disabled?: boolean
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onSelect}
      className={`flex h-8 w-full items-center gap-2 rounded px-2 text-left whitespace-nowrap hover:bg-hover disabled:opacity-55 ${isDanger ? 'text-bad' : ''}`}
    >
      {children}
    </button>
  )
}
