import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCrawlActions } from '../../hooks/useCrawlActions.ts'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import type { Crawl } from '../../server/api.ts'
import { shortUrl } from '../../text/format.ts'
import { isActive, isUnfinished } from '../../text/states.ts'
import { Button } from '../controls/Button.tsx'
import { Menu, MenuItem } from '../controls/Menu.tsx'
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx'
import { RetryDialog } from '../dialogs/RetryDialog.tsx'
import { Icon } from '../display/Icon.tsx'
import { ReadOnlyBadge } from './ReadOnlyBadge.tsx'
import { RerunDialog } from './RerunDialog.tsx'

type OpenDialog = 'cancel' | 'delete' | 'rerun' | 'retry'

/** The actions on a crawl, or a read-only badge without the crawl scope. */
export function CrawlControls({ crawl }: { crawl: Crawl }) {
  return useHasScope('crawl') ? <CrawlButtons crawl={crawl} /> : <ReadOnlyBadge />
}

/** Pause, resume, edit, rerun, retry, cancel, delete: the actions that the status of the crawl allows. */
function CrawlButtons({ crawl }: { crawl: Crawl }) {
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { pause, resume, complete, cancel, rerun, remove, isBusy } = useCrawlActions(crawl.crawl_id)
  const edit = (): void => navigate(`/crawls/${crawl.crawl_id}?edit`)
  useShortcuts([
    {
      keys: 'p',
      label: 'Pause or resume the crawl',
      run: () => {
        if (isActive(crawl.status)) pause()
        else if (crawl.status === 'paused') resume()
      },
    },
    { keys: 'e', label: 'Edit the crawl', run: () => isUnfinished(crawl.status) && edit() },
  ])

  return (
    <div className="flex items-center gap-2">
      {isActive(crawl.status) ? (
        <Button icon="pause" disabled={isBusy} onClick={pause}>
          Pause
        </Button>
      ) : null}
      {crawl.status === 'paused' ? (
        <Button icon="play" variant="primary" disabled={isBusy} onClick={resume}>
          Resume
        </Button>
      ) : null}
      {isUnfinished(crawl.status) ? (
        <Button icon="edit" onClick={edit}>
          Edit
        </Button>
      ) : (
        <Button icon="rerun" onClick={() => setDialog('rerun')}>
          Run again
        </Button>
      )}
      <Menu label="More actions" icon="more" isLabelHidden>
        {(close) => <CrawlMenu crawl={crawl} onComplete={complete} onOpenDialog={setDialog} close={close} />}
      </Menu>
      {dialog === 'cancel' ? (
        <ConfirmDialog
          title="Cancel this crawl?"
          text="Queued URLs are excluded, visited pages stay. A cancelled crawl cannot be resumed."
          action="Cancel crawl"
          dismiss="Keep crawl"
          isBusy={isBusy}
          onConfirm={() => cancel(() => setDialog(null))}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'delete' ? (
        <ConfirmDialog
          title="Delete this crawl?"
          text={`This deletes the crawl of ${shortUrl(crawl.root_url)} and its archived pages. It cannot be undone.`}
          action="Delete crawl"
          isBusy={isBusy}
          onConfirm={() => remove(() => navigate('/'))}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'rerun' ? (
        <RerunDialog crawl={crawl} isBusy={isBusy} onConfirm={rerun} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'retry' ? <RetryDialog crawl={crawl} onClose={() => setDialog(null)} /> : null}
    </div>
  )
}

function CrawlMenu({
  crawl,
  onComplete,
  onOpenDialog,
  close,
}: {
  crawl: Crawl
  onComplete: () => void
  onOpenDialog: (dialog: OpenDialog) => void
  close: () => void
}) {
  const closeThen = (run: () => void) => () => {
    close()
    run()
  }
  return (
    <>
      {isUnfinished(crawl.status) ? (
        <MenuItem onSelect={closeThen(() => onOpenDialog('rerun'))}>
          <Icon name="rerun" size={15} /> Run again as new crawl
        </MenuItem>
      ) : null}
      <MenuItem disabled={isActive(crawl.status)} onSelect={closeThen(() => onOpenDialog('retry'))}>
        <Icon name="play" size={15} /> Retry URLs
      </MenuItem>
      {isUnfinished(crawl.status) && crawl.next_visit_at !== null ? (
        <MenuItem onSelect={closeThen(onComplete)}>
          <Icon name="check" size={15} /> Complete crawl
        </MenuItem>
      ) : null}
      {isUnfinished(crawl.status) ? (
        <MenuItem isDanger onSelect={closeThen(() => onOpenDialog('cancel'))}>
          <Icon name="stop" size={15} /> Cancel crawl
        </MenuItem>
      ) : null}
      <MenuItem isDanger disabled={isActive(crawl.status)} onSelect={closeThen(() => onOpenDialog('delete'))}>
        <Icon name="trash" size={15} /> Delete crawl
      </MenuItem>
    </>
  )
}
