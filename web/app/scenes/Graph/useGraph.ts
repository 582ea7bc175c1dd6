import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type GraphQuery, type GraphSelection, type GraphSnapshot, readGraph } from '../../graph/read-graph.ts'
import { client, hasErrorCode } from '../../server/api.ts'

interface GraphPolling {
  /** Polling interval while the crawl is live. */
  intervalMs: number | false
  maxEdges: number
}

/** The graph of a crawl, updated while the crawl is live. */
export function useGraph(crawlId: string, selection: GraphSelection, { intervalMs, maxEdges }: GraphPolling) {
  const cache = useQueryClient()
  const { group, limit, around, under, open, isLarge } = selection
  // The key has the same form as all keys of a crawl, so the graph is refetched when the crawl ends.
  const parts = [group, limit, around, under, open.join(' '), isLarge, maxEdges]
  const key = ['getGraph', { params: { crawl_id: crawlId } }, ...parts] as const
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<GraphSnapshot> => {
      const known = cache.getQueryData<GraphSnapshot>(key) ?? null
      const fetchGraph = (query: GraphQuery) =>
        client.getGraph({ params: { crawl_id: crawlId }, query: { ...query, max_edges: maxEdges } }, { signal })
      try {
        return await readGraph(known, selection, fetchGraph)
      } catch (error) {
        // The store was replaced, so the version is unknown to it.
        if (known !== null && hasErrorCode(error, 'BAD_CURSOR')) return readGraph(null, selection, fetchGraph)
        throw error
      }
    },
    // Compared by identity: the model is large, and every snapshot is a new object.
    structuralSharing: false,
    // The picture stays while a group is opened.
    placeholderData: keepPreviousData,
    refetchInterval: intervalMs,
    staleTime: 0,
    gcTime: 60_000,
  })
}
