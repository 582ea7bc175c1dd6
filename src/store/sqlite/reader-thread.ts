// A thread that looks into the file beside the one that owns it, so that no answer, however long it takes, keeps a commit
// waiting. What is in flight lives in the memory of the owner: progress as it is comes from there.

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
