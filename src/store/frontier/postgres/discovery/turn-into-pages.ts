// Requisites that a page links to: they are pages from now on, and are visited once more if they were read as requisites.

import { mustReadAgain } from '../../../../frontier/kind-changes.ts'
import type { DiscoveryPath } from '../../../../frontier/url-discoveries.ts'
import type { TerminalState } from '../../../../lib/states.ts'
import type { UrlKind } from '../../../../ports/visits.ts'
import { LOADED_PAGE_KIND, QUEUED, REQUISITE_KIND, stateCode, stateFromCode } from '../../../encoding/state-codes.ts'
import type { Queryable } from '../../../postgres/query.ts'
import { addChange, addChanges } from '../crawl-state/counters.ts'
import { becomePages } from '../recrawl/change-kinds.ts'
import type { DiscoveryInput, DiscoveryResult } from './discover.ts'
import type { ShorterPaths } from './shorter-paths.ts'

export interface RequisiteToTurn {
  id: number
  key: bigint
  /** Kind of the URL when it was found. */
  kind: UrlKind
  path: DiscoveryPath
  rank: number
}

/** The rule: `mustReadAgain`. */
const READ_AGAIN = `(${stateCode('visited')}, ${stateCode('redirected')})`

/** Locks rows in the order of ids, as commits do. */
const BECOME_PAGES = {
  name: 'urls_become_pages',
  text: `with wanted as materialized (
      select $1::int as crawl, w.* from unnest($2::bigint[], $3::int[], $4::smallint[], $5::bigint[], $6::smallint[])
        as w (id, depth, hops, parent, rank)
    ), was as (
      select u.crawl, u.id, u.host, u.state, w.depth, w.hops, w.parent, w.rank
      from wanted w join urls u on u.crawl = w.crawl and u.id = w.id
      where u.kind = ${REQUISITE_KIND} order by u.id for update of u
    )
    update urls u set kind = ${LOADED_PAGE_KIND}, depth = was.depth, hops = was.hops, parent = was.parent, rank = was.rank,
      state = case when was.state in ${READ_AGAIN} then ${QUEUED} else was.state end,
      reason = case when was.state in ${READ_AGAIN} then null else u.reason end
    from was where u.crawl = was.crawl and u.id = was.id and u.host = was.host
    returning u.id, u.host, u.rank, u.attempts, was.state as was`,
}

export async function turnIntoPages(
  tx: Queryable,
  { crawl, now }: DiscoveryInput,
  requisites: RequisiteToTurn[],
  { result, shorterPaths }: { result: DiscoveryResult; shorterPaths: ShorterPaths },
): Promise<void> {
  const lists = [
    requisites.map(({ id }) => id),
    requisites.map(({ path }) => path.depth),
    requisites.map(({ path }) => path.hops),
    requisites.map(({ path }) => path.parent),
    requisites.map(({ rank }) => rank),
  ]
  const { rows } = await tx.query({ ...BECOME_PAGES, values: [crawl.id, ...lists] })
  // The others were turned by another commit since they were read. Its path may be longer than this one.
  const turned = new Set(rows.map((row) => Number(row['id'])))
  for (const { id, key, kind, path } of requisites) if (!turned.has(id) && kind === 'page') shorterPaths.add(path, key)
  for (const row of rows) {
    result.newKinds.set(Number(row['id']), 'page')
    const was = stateFromCode(Number(row['was']))
    const isOpen = was === 'queued' || was === 'in_progress'
    if (!isOpen && mustReadAgain(was, 'requisite')) {
      addChange(result.changes, was satisfies TerminalState, -1)
      addChange(result.changes, 'open')
      if (was === 'visited') addChange(result.changes, 'requisites', -1)
    }
    if (was === 'queued' || (!isOpen && mustReadAgain(was, 'requisite')))
      result.hostsWithUrls.push({ host: Number(row['host']), rank: Number(row['rank']), dueAt: now })
  }
  // A crawl that is no longer recrawled keeps its histories, and may be recrawled again.
  addChanges(result.changes, await becomePages(tx, crawl, rows))
}
