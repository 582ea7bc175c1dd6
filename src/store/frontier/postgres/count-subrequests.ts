// Requests that rendered pages made: counts by host and thread.

import { type Queryable, toPostgresText } from '../../postgres/query.ts'

const COUNT = {
  name: 'subrequests_count',
  text: `insert into subrequests (crawl, worker, host, requests)
    select $1, $2, * from unnest($3::text[], $4::bigint[]) as r (host, requests) order by host
    on conflict (crawl, worker, host) do update set requests = subrequests.requests + excluded.requests`,
}

export async function countSubrequests(
  tx: Queryable,
  { crawl, holder }: { crawl: number; holder: string },
  subrequests: Record<string, number>,
): Promise<void> {
  const entries = Object.entries(subrequests)
  if (entries.length === 0) return
  const values = [crawl, holder, entries.map(([host]) => toPostgresText(host)), entries.map(([, requests]) => requests)]
  await tx.query({ ...COUNT, values })
}
