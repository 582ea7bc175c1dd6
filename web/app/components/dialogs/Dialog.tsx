import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../controls/Button.tsx'

/** The browser's modal dialog: it traps the focus, closes on Escape and restores the focus. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  isWide = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  isWide?: boolean
}) {
  return (
    <Modal
      title={title}
      onClose={onClose}
      className={`m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] rounded-lg border border-line ${isWide ? 'max-w-3xl' : 'max-w-lg'}`}
      footer={footer}
    >
      {children}
    </Modal>
  )
}

/** A panel at the right edge; full screen on a phone. */
export function Drawer({
  title,
  onClose,
  actions,
  children,
}: {
  title: string
  onClose: () => void
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Modal
      title={title}
      onClose={onClose}
      className="mr-0 ml-auto h-dvh max-h-none w-screen max-w-2xl border-l border-line"
      actions={actions}
    >
      {children}
    </Modal>
  )
}

function Modal({
  title,
  onClose,
  className,
  actions,
  children,
  footer,
}: {
  title: string
  onClose: () => void
  className: string
  actions?: ReactNode
  children: ReactNode
  footer?: ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // A layout effect: the dialog is closed while it is still in the document, so that the browser restores the focus.
  useLayoutEffect(() => {
    const dialog = box.current
    if (dialog === null) return
    dialog.showModal()
    // Without this, the browser focuses the close button. Fields that load later focus themselves.
    const field = dialog.querySelector<HTMLElement>('input, textarea, select')
    ;(field ?? dialog).focus()
    return () => dialog.close()
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside closes it; on the keyboard, Escape does
    <dialog
      ref={box}
      tabIndex={-1}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
      className={`bg-surface p-0 text-ink shadow-float outline-none ${className}`}
    >
      <div className="flex h-full max-h-[inherit] flex-col">
        <header className="flex items-center justify-between gap-3 border-b border-line py-2 pr-2 pl-4">
          <h2 id={titleId} className="min-w-0 truncate text-sm font-semibold">
            {title}
          </h2>
          <div className="flex shrink-0 gap-1">
            {actions}
            <IconButton label="Close" icon="close" tip="left" onClick={onClose} />
          </div>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
        {footer === undefined ? null : (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>
        )}
      </div>
    </dialog>
  )
}
