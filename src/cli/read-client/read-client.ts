// A client for commands that read: from the server at --server, or from the store. Both return the same as the API, so
// that commands are written once.

import type { Client, ClientResponse } from '../../api/client.ts'
import type { RouteInput } from '../../api/contract/routes.ts'
import type { Config } from '../../config/schema.ts'
import type { Openers } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'

export type ReadRoute =
  | ('listWorkers' | 'verifyCrawl' | 'listTraps' | 'compareCrawls' | 'explainUrl')
  | ('findPages' | 'getPage' | 'getPageRaw' | 'getPageText' | 'getPageMarkdown' | 'diffPages')
  | ('getPageData' | 'extractFromPage')
  | ('listChanges' | 'countChanges' | 'getChange')
  | ('search' | 'getIndex')

/** Requests are complete, since nothing fills in defaults in front of the store. */
export type ReadCalls = { [N in ReadRoute]: (input: RouteInput<N>) => Promise<ClientResponse<N>> }

export type Politeness = ClientResponse<'getPoliteness'>['items'][number]

export interface ReadClient extends ReadCalls {
  /** Resolves the start of an id. */
  findCrawlId(prefix: string): Promise<string>
  /** Every host of a crawl. */
  listPoliteness(crawlId: string): AsyncIterable<Politeness>
}

export async function withReadClient<T>(
  config: Config,
  openers: Openers,
  read: (client: ReadClient) => Promise<T>,
): Promise<T> {
  const client = createServerClient(config)
  if (client !== null) return callServer(client, () => read(serverReadClient(client)))
  const { openStoreReadClient } = await import('./store-read-client.ts')
  const storeClient = await openStoreReadClient(config, openers)
  try {
    return await read(storeClient)
  } finally {
    await storeClient.close()
  }
}

const HOSTS_AT_ONCE = 200

function serverReadClient(client: Client): ReadClient {
  // The client writes numbers and switches into the URL, where the contract has texts.
  const calls = client as unknown as ReadCalls
  return {
    ...calls,
    findCrawlId: (prefix) => findCrawlId(client, prefix),
    async *listPoliteness(crawlId) {
      let cursor: string | null = null
      do {
        const page: ClientResponse<'getPoliteness'> = await client.getPoliteness({
          params: { crawl_id: crawlId },
          query: { limit: HOSTS_AT_ONCE, ...(cursor === null ? {} : { cursor }) },
        })
        yield* page.items
        cursor = page.next_cursor
      } while (cursor !== null)
    },
  }
}
