import { Button } from '../../../components/controls/Button.tsx'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { Dialog } from '../../../components/dialogs/Dialog.tsx'

/** A secret that the server tells once and cannot tell again. */
export function NewSecret({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <p>Copy it now: it is shown this once.</p>
      <div className="mt-2 flex items-center gap-2 rounded border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{secret}</code>
        <CopyButton text={secret} label="Copy it" />
      </div>
    </Dialog>
  )
}
