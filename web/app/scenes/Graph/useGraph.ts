import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, isCode } from '../../api.ts'
import { type GraphQuery, type GraphWish, type Reading, readGraph } from '../../graph/read.ts'

interface Reads {
  /** While the crawl lives it is read on. */
  everyMs: number | false
  maxEdges: number
}

/** The graph of a crawl. */
export function useGraph(crawlId: string, wish: GraphWish, { everyMs, maxEdges }: Reads) {
  const cache = useQueryClient()
  const { group, limit, around, under, isLarge } = wish
  // Named by its crawl as every other answer is, so that it is read once more when the crawl has ended.
  const key = ['getGraph', { params: { crawl_id: crawlId } }, group, limit, around, under, isLarge, maxEdges] as const
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<Reading> => {
      const known = cache.getQueryData<Reading>(key) ?? null
      const ask = (query: GraphQuery) =>
        client.getGraph({ params: { crawl_id: crawlId }, query: { ...query, max_edges: maxEdges } }, { signal })
      try {
        return await readGraph(known, wish, ask)
      } catch (error) {
        // The version is of another life of the store.
        if (known !== null && isCode(error, 'BAD_CURSOR')) return readGraph(null, wish, ask)
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
