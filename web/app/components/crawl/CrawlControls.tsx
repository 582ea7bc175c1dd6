import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCrawlActions } from '../../hooks/useCrawlActions.ts'
import { useHasScope } from '../../hooks/useHasScope.ts'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import type { Crawl } from '../../server/api.ts'
import { shortUrl } from '../../text/format.ts'
import { isLive } from '../../text/states.ts'
import { Button } from '../controls/Button.tsx'
import { Menu, MenuItem } from '../controls/Menu.tsx'
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx'
import { RetryDialog } from '../dialogs/RetryDialog.tsx'
import { Icon } from '../display/Icon.tsx'
import { ReadOnlyBadge } from './ReadOnlyBadge.tsx'

type OpenDialog = 'cancel' | 'delete' | 'retry'

/** What can be done with a crawl, for those who may. */
export function CrawlControls({ crawl }: { crawl: Crawl }) {
  return useHasScope('crawl') ? <CrawlButtons crawl={crawl} /> : <ReadOnlyBadge />
}

/** Pause, resume, cancel, change, run again, retry, delete: what fits the state of the crawl. */
function CrawlButtons({ crawl }: { crawl: Crawl }) {
  const [, navigate] = useLocation()
  const [asked, setAsked] = useState<OpenDialog | null>(null)
  const { pause, resume, cancel, rerun, remove, isBusy } = useCrawlActions(crawl.crawl_id)
  const edit = (): void => navigate(`/crawls/${crawl.crawl_id}?edit`)
  useShortcuts([
    {
      keys: 'p',
      label: 'Pause or resume this crawl',
      run: () => {
        if (crawl.status === 'running') pause()
        else if (crawl.status === 'paused') resume()
      },
    },
    { keys: 'e', label: 'Change limits of this crawl', run: () => isLive(crawl.status) && edit() },
  ])

  return (
    <div className="flex items-center gap-2">
      {crawl.status === 'running' ? (
        <Button icon="pause" disabled={isBusy} onClick={pause}>
          Pause
        </Button>
      ) : null}
      {crawl.status === 'paused' ? (
        <Button icon="play" look="primary" disabled={isBusy} onClick={resume}>
          Resume
        </Button>
      ) : null}
      {isLive(crawl.status) ? (
        <Button icon="edit" onClick={edit}>
          Change
        </Button>
      ) : (
        <Button icon="rerun" disabled={isBusy} onClick={rerun}>
          Run again
        </Button>
      )}
      <Menu label="More actions" icon="more" isLabelHidden>
        {(close) => <CrawlMenu crawl={crawl} onRerun={rerun} onAsk={setAsked} close={close} />}
      </Menu>
      {asked === 'cancel' ? (
        <ConfirmDialog
          title="Cancel this crawl"
          text="What was found stays; urls that wait are left out. It cannot go on later."
          action="Cancel the crawl"
          isBusy={isBusy}
          onConfirm={() => cancel(() => setAsked(null))}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          title="Delete this crawl"
          text={`Everything known of ${shortUrl(crawl.root_url)} from this crawl goes: urls, links, figures and kept pages. There is no way back.`}
          action="Delete the crawl"
          isBusy={isBusy}
          onConfirm={() => remove(() => navigate('/'))}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {asked === 'retry' ? <RetryDialog crawl={crawl} onClose={() => setAsked(null)} /> : null}
    </div>
  )
}

function CrawlMenu({
  crawl,
  onRerun,
  onAsk,
  close,
}: {
  crawl: Crawl
  onRerun: () => void
  onAsk: (openDialog: OpenDialog) => void
  close: () => void
}) {
  const choose = (run: () => void) => () => {
    close()
    run()
  }
  return (
    <>
      {isLive(crawl.status) ? (
        <MenuItem onChoose={choose(onRerun)}>
          <Icon name="rerun" size={15} /> Run again as a new crawl
        </MenuItem>
      ) : null}
      <MenuItem disabled={crawl.status === 'running'} onChoose={choose(() => onAsk('retry'))}>
        <Icon name="play" size={15} /> Retry urls
      </MenuItem>
      {isLive(crawl.status) ? (
        <MenuItem isDanger onChoose={choose(() => onAsk('cancel'))}>
          <Icon name="stop" size={15} /> Cancel
        </MenuItem>
      ) : null}
      <MenuItem isDanger disabled={crawl.status === 'running'} onChoose={choose(() => onAsk('delete'))}>
        <Icon name="trash" size={15} /> Delete
      </MenuItem>
    </>
  )
}
