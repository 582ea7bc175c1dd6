// The end of a visit that tests fill in.

import type { EndedVisit } from '../revisit-history.ts'

export function testEnd(changes: Partial<EndedVisit> = {}): EndedVisit {
  return {
    state: 'visited',
    reason: null,
    observedHash: 'a',
    etag: '"1"',
    lastModified: null,
    isUnchanged: false,
    isNotModified: false,
    isArchived: false,
    isInSitemap: false,
    importance: 1,
    rateGroup: '',
    ...changes,
  }
}
