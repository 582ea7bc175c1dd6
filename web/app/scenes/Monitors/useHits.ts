import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import { showToast } from '../../page/toasts.ts'
import { client, errorMessage } from '../../server/api.ts'
import { plural } from '../../text/format.ts'
import { REFRESH_MS, refreshMonitors } from './refresh.ts'

export type Hit = RouteResponse<'getHit'>

const PAGE_SIZE = 50

/** The hits of a monitor or of all, newest first. */
export function useHits(monitorId: string | null, isOpen: boolean) {
  return useInfiniteQuery({
    queryKey: ['listHits', monitorId, isOpen],
    queryFn: ({ pageParam, signal }) =>
      client.listHits(
        {
          query: {
            limit: PAGE_SIZE,
            ...(monitorId === null ? {} : { monitor_id: monitorId }),
            ...(isOpen ? { open: 'true' as const } : {}),
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: REFRESH_MS,
  })
}

const showError = (error: Error): void => showToast(errorMessage(error), 'bad')

/** Actions on hits. */
export function useHitActions() {
  const acknowledge = useMutation({
    mutationFn: (body: Parameters<typeof client.acknowledgeHits>[0]['body']) => client.acknowledgeHits({ body }),
    onSuccess: ({ acknowledged }) => {
      showToast(`${plural(acknowledged, 'hit')} acknowledged.`)
      return refreshMonitors()
    },
    onError: showError,
  })
  const mute = useMutation({
    mutationFn: ({ hit, isMuted }: { hit: Hit; isMuted: boolean }) =>
      client.muteMonitorUrl({ params: { monitor_id: hit.monitor_id }, body: { url: hit.url, muted: isMuted } }),
    onSuccess: refreshMonitors,
    onError: showError,
  })
  return {
    acknowledge: (hit: Hit) => acknowledge.mutate({ hit_ids: [hit.hit_id] }),
    acknowledgeUpTo: (hit: Hit) => acknowledge.mutate({ monitor_id: hit.monitor_id, up_to: hit.hit_id }),
    setMuted: (hit: Hit, isMuted: boolean) => mute.mutate({ hit, isMuted }),
    isBusy: acknowledge.isPending || mute.isPending,
    error: acknowledge.error ?? mute.error,
  }
}
