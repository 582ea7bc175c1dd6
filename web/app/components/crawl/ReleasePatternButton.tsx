import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage, refetchQueries } from '../../server/api.ts'
import { plural } from '../../text/format.ts'
import { Button } from '../controls/Button.tsx'
import { ConfirmDialog } from '../dialogs/ConfirmDialog.tsx'

/** Queues the URLs of a pattern that was excluded as a trap, after confirmation. */
export function ReleasePatternButton({ crawlId, pattern }: { crawlId: string; pattern: string }) {
  const [isConfirming, setConfirming] = useState(false)
  const release = useMutation({
    mutationFn: () => client.releaseTrap({ params: { crawl_id: crawlId }, body: { pattern } }),
    onSuccess: ({ queued }) => {
      showToast(`Pattern released. ${plural(queued, 'URL')} queued again.`)
      void refetchQueries({ queryKey: ['listTraps'] })
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
    onSettled: () => setConfirming(false),
  })
  return (
    <>
      <Button disabled={release.isPending} onClick={() => setConfirming(true)}>
        Release
      </Button>
      {isConfirming ? (
        <ConfirmDialog
          title="Release this pattern?"
          text="Its URLs are queued again, and this crawl no longer excludes the pattern. Pause a running crawl first."
          action="Release"
          isBusy={release.isPending}
          onConfirm={() => release.mutate()}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </>
  )
}
