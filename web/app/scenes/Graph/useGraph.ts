import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type GraphQuery, type GraphSelection, type GraphSnapshot, readGraph } from '../../graph/read-graph.ts'
import { client, hasErrorCode } from '../../server/api.ts'

interface GraphPolling {
  /** While the crawl lives it is read on. */
  everyMs: number | false
  maxEdges: number
}

/** The graph of a crawl. */
export function useGraph(crawlId: string, wish: GraphSelection, { everyMs, maxEdges }: GraphPolling) {
  const cache = useQueryClient()
  const { group, limit, around, under, isLarge } = wish
  // Named by its crawl as every other answer is, so that it is read once more when the crawl has ended.
  const key = ['getGraph', { params: { crawl_id: crawlId } }, group, limit, around, under, isLarge, maxEdges] as const
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<GraphSnapshot> => {
      const known = cache.getQueryData<GraphSnapshot>(key) ?? null
      const ask = (query: GraphQuery) =>
        client.getGraph({ params: { crawl_id: crawlId }, query: { ...query, max_edges: maxEdges } }, { signal })
      try {
        return await readGraph(known, wish, ask)
      } catch (error) {
        // The version is of another life of the store.
        if (known !== null && hasErrorCode(error, 'BAD_CURSOR')) return readGraph(null, wish, ask)
        throw error
      }
    },
    // Compared by identity: the model is large, and a reading is always a new object.
    structuralSharing: false,
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 60_000,
  })
}
