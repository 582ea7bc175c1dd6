// The hits of a monitor as an Atom feed.

import { describeEvidence } from '../../monitor/describe-hit.ts'
import type { Hit, MonitorRow } from '../../ports/monitors.ts'
import { writeAtomFeed } from './atom-feed.ts'

export function toHitFeed({ id, name, createdAt, rule }: MonitorRow, hits: Hit[], baseUrl: string): string {
  return writeAtomFeed({
    id: `monitor/${id}`,
    title: `Hits of ${name}`,
    url: `${baseUrl}/api/v1/monitors/${encodeURIComponent(id)}/hits.atom`,
    createdAt,
    entries: hits.map((hit) => ({
      id: `monitor/${id}/hit/${hit.id}`,
      title: `${name}: ${hit.title || hit.url}`,
      url: hit.url,
      category: rule.kind,
      updatedAt: hit.at,
      summary: describeEvidence(hit.evidence),
    })),
  })
}
