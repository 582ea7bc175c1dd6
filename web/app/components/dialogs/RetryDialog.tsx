import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../page/toasts.ts'
import { type Crawl, client, errorMessage, refetchQueries, toQueryKey, type UrlState } from '../../server/api.ts'
import { formatNumber, plural } from '../../text/format.ts'
import { URL_STATE_STYLES } from '../../text/states.ts'
import { Button } from '../controls/Button.tsx'
import { StateBadge } from '../display/Badge.tsx'
import { Dialog } from './Dialog.tsx'

const RETRIABLE = ['failed', 'http_error', 'not_found', 'forbidden', 'excluded'] as const satisfies readonly UrlState[]
type Retriable = (typeof RETRIABLE)[number]

/** Queues the URLs that ended in one of the problem states. */
export function RetryDialog({ crawl, onClose }: { crawl: Crawl; onClose: () => void }) {
  const choices = RETRIABLE.filter((state) => crawl.states[state] > 0)
  const [state, setState] = useState<Retriable | undefined>(choices[0])
  const retry = useMutation({
    mutationFn: (state: Retriable) => client.retryUrls({ params: { crawl_id: crawl.crawl_id }, body: { state } }),
    onSuccess: ({ queued }) => {
      showToast(`${plural(queued, 'URL')} queued. Resume the crawl to retry.`)
      void refetchQueries({ queryKey: toQueryKey('getCrawl') })
      onClose()
    },
  })
  return (
    <Dialog
      title="Retry URLs"
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          disabled={state === undefined || retry.isPending}
          onClick={() => state && retry.mutate(state)}
        >
          Queue URLs
        </Button>
      }
    >
      {choices.length === 0 ? <p>There is nothing to retry: no URL ended with a problem.</p> : null}
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">State to retry</legend>
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
