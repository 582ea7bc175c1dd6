import { Button } from '../controls/Button.tsx'
import { Dialog } from './Dialog.tsx'

export function ConfirmDialog({
  title,
  text,
  action,
  dismiss = 'Cancel',
  isBusy = false,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  action: string
  /** Label of the button that only closes the dialog. */
  dismiss?: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{dismiss}</Button>
          <Button variant="danger" disabled={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
