// Links that were not admitted: counts by reason and thread, and a few samples.

import { MAX_REJECTED_SAMPLES, type RejectedLinkSample } from '../../../../ports/frontier.ts'
import { type Queryable, toPostgresText } from '../../../postgres/query.ts'

const COUNT = {
  name: 'rejections_count',
  text: `insert into rejections (crawl, worker, reason, count)
    select $1, $2, * from unnest($3::text[], $4::bigint[]) as r (reason, count) order by reason
    on conflict (crawl, worker, reason) do update set count = rejections.count + excluded.count`,
}

/** Concurrent commits may exceed the limit by a few. */
const SAMPLE = {
  name: 'rejections_sample',
  text: `insert into rejection_samples (crawl, reason, sample, url_id)
    select $1, s.reason, s.sample, s.url_id from (
      select reason, sample, min(url_id) as url_id, row_number() over (partition by reason order by min(place)) as place
      from unnest($2::text[], $3::text[], $4::bigint[]) with ordinality as g (reason, sample, url_id, place)
      group by reason, sample) s
    where s.place + (select count(*) from rejection_samples k where k.crawl = $1 and k.reason = s.reason) <= ${MAX_REJECTED_SAMPLES}
    order by s.reason, s.sample on conflict (crawl, reason, sample) do nothing`,
}

export async function countRejected(
  tx: Queryable,
  { crawl, holder }: { crawl: number; holder: string },
  rejected: Record<string, number>,
): Promise<void> {
  const entries = Object.entries(rejected).filter(([, count]) => count > 0)
  if (entries.length === 0) return
  const values = [crawl, holder, entries.map(([reason]) => toPostgresText(reason)), entries.map(([, count]) => count)]
  await tx.query({ ...COUNT, values })
}

export async function saveSamples(tx: Queryable, crawl: number, samples: RejectedLinkSample[]): Promise<void> {
  if (samples.length === 0) return
  const texts = [samples.map(({ reason }) => toPostgresText(reason)), samples.map(({ text }) => toPostgresText(text))]
  await tx.query({ ...SAMPLE, values: [crawl, ...texts, samples.map(({ urlId }) => urlId)] })
}
