// Finds redirect loops and gives every URL in one the reason. One process at a time runs it for a crawl, after the
// commit that may have closed a loop, so that it sees the whole loop.

import { MAX_REDIRECTS, REDIRECT_LOOP } from '../../../../ports/visits.ts'
import { decodeLinkKeys } from '../../../encoding/link-keys.ts'
import { stateCode } from '../../../encoding/state-codes.ts'
import type { Queryable, Row } from '../../../postgres/query.ts'
import { findKnownUrls } from './discover.ts'

const REDIRECTED = stateCode('redirected')

const LINKS = {
  name: 'redirect_loops_links',
  text: `with these as materialized (select $1::int as crawl, t.* from unnest($2::int[], $3::bigint[]) as t (host, id))
    select l.url_id, l.targets from these t
    join links l on l.crawl = t.crawl and l.host = t.host and l.url_id = t.id`,
}

const MARK = {
  name: 'redirect_loops_mark',
  text: `with these as materialized (
      select u.crawl, u.host, u.id from unnest($2::int[], $3::bigint[]) as t (host, id)
        join urls u on u.crawl = $1 and u.host = t.host and u.id = t.id order by u.id for update of u
    )
    update urls u set reason = '${REDIRECT_LOOP}' from these t
    where u.crawl = t.crawl and u.host = t.host and u.id = t.id`,
}

interface LoopUrl {
  id: number
  host: number
}

interface RedirectWalk {
  from: LoopUrl
  path: LoopUrl[]
  /** Key of the next URL. */
  key: bigint | undefined
}

/** `rows`: URLs with state and links, as read by apply-shorter-paths.ts. */
export async function markRedirectLoops(tx: Queryable, crawl: number, rows: Row[]): Promise<void> {
  let walks = rows
    .filter((row) => row['state'] === REDIRECTED)
    .map((row): RedirectWalk => {
      const from = { id: Number(row['url_id']), host: Number(row['host']) }
      return { from, path: [from], key: firstKey(row['links']) }
    })
  const loops: LoopUrl[] = []
  for (let steps = 0; walks.length > 0 && steps <= MAX_REDIRECTS; steps++) {
    const known = await findKnownUrls(
      tx,
      crawl,
      walks.flatMap(({ key }) => key ?? []),
    )
    const open: RedirectWalk[] = []
    for (const redirectWalk of walks) {
      const next = redirectWalk.key === undefined ? undefined : known.get(redirectWalk.key)
      if (next === undefined || next.state !== REDIRECTED) continue
      if (next.id === redirectWalk.from.id) loops.push(...redirectWalk.path)
      else open.push({ ...redirectWalk, path: [...redirectWalk.path, { id: next.id, host: next.host }] })
    }
    const links = await readLinks(
      tx,
      crawl,
      open.flatMap(({ path }) => path.at(-1) ?? []),
    )
    walks = open.map((redirectWalk) => ({
      ...redirectWalk,
      key: firstKey(links.get(redirectWalk.path.at(-1)?.id ?? 0)),
    }))
  }
  if (loops.length === 0) return
  await tx.query({ ...MARK, values: [crawl, loops.map(({ host }) => host), loops.map(({ id }) => id)] })
}

async function readLinks(tx: Queryable, crawl: number, urls: LoopUrl[]): Promise<Map<number, unknown>> {
  if (urls.length === 0) return new Map()
  const values = [crawl, urls.map(({ host }) => host), urls.map(({ id }) => id)]
  const { rows } = await tx.query({ ...LINKS, values })
  return new Map(rows.map((row) => [Number(row['url_id']), row['targets']]))
}

function firstKey(targets: unknown): bigint | undefined {
  return [...decodeLinkKeys(targets)][0]
}
