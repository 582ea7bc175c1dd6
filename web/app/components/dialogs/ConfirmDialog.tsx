import { Button } from '../controls/Button.tsx'
import { Dialog } from './Dialog.tsx'

export function ConfirmDialog({
  title,
  text,
  action,
  isBusy = false,
  onConfirm,
  onClose,
}: {
  title: string
  text: string
  action: string
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
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" disabled={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
