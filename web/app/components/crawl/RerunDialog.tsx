import type { Crawl } from '../../server/api.ts'
import { shortUrl } from '../../text/format.ts'
import { Button, LinkButton } from '../controls/Button.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'

/** Asks before a crawl is run again, and offers to change its settings first. */
export function RerunDialog({
  crawl,
  isBusy,
  onConfirm,
  onClose,
}: {
  crawl: Crawl
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      title="Run this crawl again?"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <LinkButton href={`/new?from=${crawl.crawl_id}`} icon="edit">
            Change settings first
          </LinkButton>
          <Button variant="primary" icon="rerun" disabled={isBusy} onClick={onConfirm}>
            Run again
          </Button>
        </>
      }
    >
      <p>
        This starts a new crawl of {shortUrl(crawl.root_url)} with the same start URLs and settings. The results of this
        one stay, so you can compare both.
      </p>
    </Dialog>
  )
}
