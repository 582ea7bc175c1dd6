// Cost of reading the graph, the folders and the hosts of a large crawl on the server: the first read, which reads the
// crawl, and later ones. CPU of the server process with all its threads.

import { startApiServer } from '../../test/testing/api-server.ts'
import { readTreeCpuMs } from '../../test/testing/cpu-time.ts'
import { withStore, writeSiteCrawl } from './web-store.ts'

const REPEATS = 20

export interface GraphRead {
  name: string
  firstMs: number
  laterMs: number
}

/** Labels of the site that web-store.ts writes. */
const HOST = 'site0.test'

export async function measureGraphReads(folder: string, urls: number): Promise<GraphRead[]> {
  const crawlId = await withStore(folder, (store) => writeSiteCrawl(store, urls))
  const apiServer = await startApiServer(folder, 'api')
  const cpu = () => readTreeCpuMs(apiServer.child.pid) ?? Number.NaN
  const crawl = `/api/v1/crawls/${crawlId}`
  const reads = {
    hosts: '/hosts?limit=50',
    folders: '/folders',
    'folders of a host': `/folders?under=${HOST}`,
    'graph: groups': '/graph?group=path&limit=60&max_edges=12000',
    'graph: a group is open': `/graph?group=path&limit=60&max_edges=12000&open=${HOST}/section-1`,
    'graph: 1,000 groups': '/graph?group=path&limit=1000&max_edges=12000',
    'graph: hosts': '/graph?group=host',
    'graph: 500 URLs': '/graph?group=url&limit=500&max_edges=12000',
    'graph: 3,000 URLs': '/graph?group=url&limit=3000&max_edges=12000',
  }
  try {
    await apiServer.request(crawl)
    const results: GraphRead[] = []
    for (const [name, path] of Object.entries(reads)) {
      const before = cpu()
      await apiServer.request(crawl + path)
      const afterFirst = cpu()
      for (let i = 0; i < REPEATS; i++) await apiServer.request(crawl + path)
      results.push({ name, firstMs: afterFirst - before, laterMs: (cpu() - afterFirst) / REPEATS })
    }
    return results
  } finally {
    await apiServer.stop()
  }
}
