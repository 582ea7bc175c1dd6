import { useState } from 'react'
import { Button } from '../controls/Button.tsx'
import { Dialog } from './Dialog.tsx'

export function ConfirmDialog({
  title,
  text,
  action,
  dismiss = 'Cancel',
  consent,
  isBusy = false,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  action: string
  /** Label of the button that only closes the dialog. */
  dismiss?: string
  /** Text of a checkbox that must be ticked first, for actions that are hard to undo. */
  consent?: string | undefined
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  const [hasConsent, setHasConsent] = useState(consent === undefined)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{dismiss}</Button>
          <Button variant="danger" disabled={isBusy || !hasConsent} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {consent === undefined ? null : (
        <label className="mt-3 flex items-center gap-2">
          <input type="checkbox" checked={hasConsent} onChange={(event) => setHasConsent(event.target.checked)} />
          {consent}
        </label>
      )}
    </Dialog>
  )
}
