// An OpenSearch node for a benchmark, of the version that `npm run test:engines` tests.

import { fileURLToPath } from 'node:url'
import { findSearchEngine } from '../../test/engines/opensearch/find-search-engine.ts'
import { type SearchNode, startSearchNode } from '../../test/engines/opensearch/search-node.ts'

const MAX_BUILD_MS = 600_000

export async function startBenchOpenSearch(): Promise<SearchNode & { stop(): Promise<void> }> {
  const cache = fileURLToPath(new URL('../../.engines', import.meta.url))
  process.env['TEST_OPENSEARCH_3'] ??= await findSearchEngine('opensearch-3', cache, AbortSignal.timeout(MAX_BUILD_MS))
  const cleanups: (() => unknown)[] = []
  const node = await startSearchNode({ after: (cleanUp) => cleanups.push(cleanUp) }, 'opensearch-3', {
    isForTests: false,
  })
  const stop = async () => {
    for (const cleanUp of cleanups) await cleanUp()
  }
  return { ...node, stop }
}
