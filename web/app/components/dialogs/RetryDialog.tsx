import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../page/toasts.ts'
import { type Crawl, client, errorMessage, queryClient, toQueryKey, type UrlState } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { URL_STATE_STYLES } from '../../text/states.ts'
import { Button } from '../controls/Button.tsx'
import { StateBadge } from '../display/Badge.tsx'
import { Dialog } from './Dialog.tsx'

const RETRIABLE = ['failed', 'http_error', 'not_found', 'forbidden', 'excluded'] as const satisfies readonly UrlState[]
type Retriable = (typeof RETRIABLE)[number]

/** Queues urls that ended badly once more, by their state. */
export function RetryDialog({ crawl, onClose }: { crawl: Crawl; onClose: () => void }) {
  const choices = RETRIABLE.filter((state) => crawl.states[state] > 0)
  const [state, setState] = useState<Retriable | undefined>(choices[0])
  const retry = useMutation({
    mutationFn: (state: Retriable) => client.retryUrls({ params: { crawl_id: crawl.crawl_id }, body: { state } }),
    onSuccess: ({ queued }) => {
      showToast(`${plural(queued, 'url')} queued. Resume the crawl to visit them.`)
      void queryClient.invalidateQueries({ queryKey: toQueryKey('getCrawl') })
      onClose()
    },
  })
  return (
    <Dialog
      title="Retry urls"
      onClose={onClose}
      footer={
        <Button
          look="primary"
          disabled={state === undefined || retry.isPending}
          onClick={() => state && retry.mutate(state)}
        >
          Queue them once more
        </Button>
      }
    >
      {choices.length === 0 ? <p>No url ended badly, so there is nothing to retry.</p> : null}
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">State of the urls to retry</legend>
        {choices.map((choice) => (
          <label key={choice} className="flex items-center gap-3">
            <input type="radio" name="state" checked={state === choice} onChange={() => setState(choice)} />
            <span className="w-28">
              <StateBadge state={choice} />
            </span>
            <span className="w-16 text-right">{formatNumber(crawl.states[choice])}</span>
            <span className="text-muted">{URL_STATE_STYLES[choice].help}</span>
          </label>
        ))}
      </fieldset>
      {retry.isError ? (
        <p role="alert" className="mt-3 text-bad">
          {errorMessage(retry.error)}
        </p>
      ) : null}
    </Dialog>
  )
}
