// Requests to hosts: counts by host and thread.

import type { HostRequests } from '../../../ports/frontier.ts'
import { type Queryable, toPostgresText } from '../../postgres/query.ts'

const COUNT = {
  name: 'host_requests_count',
  text: `insert into host_requests (crawl, worker, host, sent, rendered)
    select $1, $2, * from unnest($3::text[], $4::bigint[], $5::bigint[]) as r (host, sent, rendered) order by host
    on conflict (crawl, worker, host) do update set
      sent = host_requests.sent + excluded.sent, rendered = host_requests.rendered + excluded.rendered`,
}

export async function countRequests(
  tx: Queryable,
  { crawl, holder }: { crawl: number; holder: string },
  requests: Record<string, HostRequests>,
): Promise<void> {
  const hosts = Object.keys(requests)
  if (hosts.length === 0) return
  const counts = Object.values(requests)
  const [sent, rendered] = [counts.map((count) => count.sent), counts.map((count) => count.rendered)]
  await tx.query({ ...COUNT, values: [crawl, holder, hosts.map(toPostgresText), sent, rendered] })
}
