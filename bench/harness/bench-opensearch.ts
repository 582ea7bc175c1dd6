// An OpenSearch node for a benchmark, of the version that `npm run test:engines` tests.

import { fileURLToPath } from 'node:url'
import { findOpenSearch } from '../../test/engines/opensearch/find-opensearch.ts'
import { type OpenSearchNode, startOpenSearch } from '../../test/engines/opensearch/opensearch-node.ts'

const MAX_BUILD_MS = 600_000

export async function startBenchOpenSearch(): Promise<OpenSearchNode & { stop(): Promise<void> }> {
  const cache = fileURLToPath(new URL('../../.engines', import.meta.url))
  process.env['TEST_OPENSEARCH'] ??= await findOpenSearch(cache, AbortSignal.timeout(MAX_BUILD_MS))
  const cleanups: (() => unknown)[] = []
  const node = await startOpenSearch({ after: (cleanUp) => cleanups.push(cleanUp) }, { isForTests: false })
  const stop = async () => {
    for (const cleanUp of cleanups) await cleanUp()
  }
  return { ...node, stop }
}
