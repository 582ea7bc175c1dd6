import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { showToast } from '../page/toasts.ts'
import { type Crawl, client, errorMessage, queryClient, toQueryKey } from '../server/api.ts'
import { cacheProgress } from './useCrawl.ts'

const fail = (error: Error): void => showToast(errorMessage(error), 'bad')

/** What can be done to a crawl. The answer is put into the cache at once; what goes wrong is told in a toast. */
export function useCrawlActions(crawlId: string) {
  const [, navigate] = useLocation()
  const given = { params: { crawl_id: crawlId } }
  const onSuccess = (crawl: Crawl): void => {
    cacheProgress(crawl)
    void queryClient.invalidateQueries({ queryKey: toQueryKey('listCrawls') })
  }
  const pause = useMutation({ mutationFn: () => client.pauseCrawl(given), onSuccess, onError: fail })
  const resume = useMutation({ mutationFn: () => client.resumeCrawl(given), onSuccess, onError: fail })
  const cancel = useMutation({
    mutationFn: () => client.cancelCrawl(given),
    onSuccess: (crawl) => {
      onSuccess(crawl)
      if (crawl.status === 'running') showToast('It ends once the requests under way have come back.')
    },
    onError: fail,
  })
  const rerun = useMutation({
    mutationFn: () => client.rerunCrawl(given),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
    onError: fail,
  })
  const remove = useMutation({
    mutationFn: () => client.deleteCrawl(given),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: toQueryKey('listCrawls') }),
    onError: fail,
  })
  return {
    pause: () => pause.mutate(),
    resume: () => resume.mutate(),
    cancel: (then: () => void) => cancel.mutate(undefined, { onSettled: then }),
    rerun: () => rerun.mutate(),
    remove: (then: () => void) => remove.mutate(undefined, { onSuccess: then }),
    isBusy: [pause, resume, cancel, rerun, remove].some((call) => call.isPending),
  }
}
