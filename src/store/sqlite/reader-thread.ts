// A thread that reads the file in addition to the thread that owns it, so that no slow query delays a commit. URLs in flight are
// in the memory of the owner, so current progress comes from there.

import { serveOnThread } from '../../lib/service-thread.ts'
import { openReader } from './store.ts'

export interface ReaderThreadSettings {
  dir: string
  cacheBytes?: number
}

serveOnThread<ReaderThreadSettings>(({ dir, cacheBytes }) => {
  const { close, damage, ...services } = openReader(dir, cacheBytes)
  return { services: { ...services, condition: { damage } }, close }
})
