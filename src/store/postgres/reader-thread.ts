// A thread that reads the database over its own connections, so that no slow query delays a commit. While the database
// is unavailable, calls fail at once.

import { serveOnThread } from '../../lib/service-thread.ts'
import { openReader } from './reader.ts'

export interface ReaderThreadSettings {
  url: string
}

const CONNECTIONS = 4

serveOnThread<ReaderThreadSettings>(async ({ url }) => {
  const { close, ...services } = await openReader(url, CONNECTIONS)
  return { services, close }
})
