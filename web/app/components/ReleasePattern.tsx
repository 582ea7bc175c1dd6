import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, queryClient } from '../api.ts'
import { plural } from '../format.ts'
import { showToast } from '../toasts.ts'
import { Button } from './Button.tsx'
import { Confirm } from './Confirm.tsx'

/** Queues the URLs of a pattern that was excluded as a trap, after asking. */
export function ReleasePattern({ crawlId, pattern }: { crawlId: string; pattern: string }) {
  const [isAsking, setAsking] = useState(false)
  const release = useMutation({
    mutationFn: () => client.releaseTrap({ params: { crawl_id: crawlId }, body: { pattern } }),
    onSuccess: ({ queued }) => {
      showToast(`Pattern released. ${plural(queued, 'URL')} queued again.`)
      void queryClient.invalidateQueries({ queryKey: ['listTraps'] })
    },
    onError: (error) => showToast(messageOf(error), 'bad'),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button disabled={release.isPending} onClick={() => setAsking(true)}>
        Release
      </Button>
      {isAsking ? (
        <Confirm
          title="Release this pattern?"
          text="Its URLs are queued again, and this crawl never excludes the pattern again. A running crawl has to be paused first."
          action="Release"
          isBusy={release.isPending}
          onConfirm={() => release.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
