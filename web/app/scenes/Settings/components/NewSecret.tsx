import { Button } from '../../../components/controls/Button.tsx'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { Dialog } from '../../../components/dialogs/Dialog.tsx'

/** Shows a secret that the server returns only once. */
export function NewSecret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Copy it now. It will not be shown again.</p>
      <div className="mt-2 flex items-center gap-2 rounded border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{secret}</code>
        <CopyButton text={secret} label="Copy" />
      </div>
    </Dialog>
  )
}
