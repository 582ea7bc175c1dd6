import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { showToast } from '../page/toasts.ts'
import { type Crawl, client, errorMessage, refetchQueries, toQueryKey } from '../server/api.ts'
import { cacheProgress } from './useCrawl.ts'

const showError = (error: Error): void => showToast(errorMessage(error), 'bad')

/** The actions on a crawl. Responses go to the cache at once; errors are shown as a toast. */
export function useCrawlActions(crawlId: string) {
  const [, navigate] = useLocation()
  const input = { params: { crawl_id: crawlId } }
  const onSuccess = (crawl: Crawl): void => {
    cacheProgress(crawl)
    void refetchQueries({ queryKey: toQueryKey('listCrawls') })
  }
  const pause = useMutation({ mutationFn: () => client.pauseCrawl(input), onSuccess, onError: showError })
  const resume = useMutation({ mutationFn: () => client.resumeCrawl(input), onSuccess, onError: showError })
  const complete = useMutation({ mutationFn: () => client.completeCrawl(input), onSuccess, onError: showError })
  const cancel = useMutation({
    mutationFn: () => client.cancelCrawl(input),
    onSuccess: (crawl) => {
      onSuccess(crawl)
      if (crawl.status === 'running') showToast('Cancelling. The crawl ends when its requests in flight finish.')
    },
    onError: showError,
  })
  const rerun = useMutation({
    mutationFn: () => client.rerunCrawl(input),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
    onError: showError,
  })
  const remove = useMutation({
    mutationFn: () => client.deleteCrawl(input),
    onSuccess: () => void refetchQueries({ queryKey: toQueryKey('listCrawls') }),
    onError: showError,
  })
  return {
    pause: () => pause.mutate(),
    resume: () => resume.mutate(),
    complete: () => complete.mutate(),
    cancel: (onSettled: () => void) => cancel.mutate(undefined, { onSettled }),
    rerun: () => rerun.mutate(),
    remove: (onSuccess: () => void) => remove.mutate(undefined, { onSuccess }),
    isBusy: [pause, resume, complete, cancel, rerun, remove].some((mutation) => mutation.isPending),
  }
}
