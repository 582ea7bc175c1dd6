// A thread that looks into the database over connections of its own, so that no answer, however long it takes, keeps a
// commit waiting. While the database is away calls fail at once.

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
