// The monthly indices and the alias that searches use.

import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchLocation } from '../../config/values/search-url.ts'
import { type SearchClient, SearchEngineError } from './client.ts'
import { makeTemplate } from './index-template.ts'
import { generationOf } from './place.ts'

const RUNNING_SEARCHES_MS = 2000

export class Indices {
  readonly #client: SearchClient
  readonly #location: SearchLocation
  readonly #created = new Set<string>()
  #hasTemplate = false

  constructor(client: SearchClient, location: SearchLocation) {
    this.#client = client
    this.#location = location
  }

  /** `isServed`: searches use the index at once. */
  async create(index: string, { storeId, isServed }: { storeId: string; isServed: boolean }): Promise<void> {
    if (this.#created.has(index)) return
    const { prefix } = this.#location
    if (!this.#hasTemplate)
      await this.#client.send('PUT', `/_index_template/${prefix}`, makeTemplate(this.#location, storeId))
    this.#hasTemplate = true
    try {
      await this.#client.send('PUT', `/${index}`)
    } catch (error) {
      if (!(error instanceof SearchEngineError && error.type === 'resource_already_exists_exception')) throw error
    }
    // Last: now its shards have started, and searches do not fail.
    if (isServed) await this.#client.send('PUT', `/${index}/_alias/${prefix}`)
    this.#created.add(index)
  }

  /** The store that the indices belong to; null if there are none. */
  async readStoreId(): Promise<string | null> {
    type Mappings = Record<string, { mappings?: { _meta?: { store?: string } } }>
    const mappings = await this.#client.getOrNull<Mappings>(`/${this.#location.prefix}-*/_mapping`)
    const ours = Object.entries(mappings ?? {}).filter(([name]) => generationOf(this.#location.prefix, name) !== null)
    return ours[0]?.[1].mappings?._meta?.store ?? null
  }

  /**
   * Makes the alias have exactly the indices of one generation, in one step. Returns the indices of generations that are
   * not used.
   */
  async serve(generation: number, used: readonly number[]): Promise<string[]> {
    const { prefix } = this.#location
    const all = await this.#client.getOrNull<Record<string, { aliases: Record<string, unknown> }>>(
      `/${prefix}-*/_alias`,
    )
    const actions = []
    const unused: string[] = []
    for (const [index, { aliases }] of Object.entries(all ?? {})) {
      const its = generationOf(prefix, index)
      if (its === null) continue
      if (!used.includes(its)) unused.push(index)
      if (its === generation && !(prefix in aliases)) actions.push({ add: { index, alias: prefix } })
      else if (its !== generation && prefix in aliases) actions.push({ remove: { index, alias: prefix } })
    }
    if (actions.length > 0) await this.#client.send('POST', '/_aliases', { actions })
    return unused
  }

  /** A moment later: searches that are running may need them. */
  async remove(indices: readonly string[]): Promise<void> {
    if (indices.length > 0) await sleep(RUNNING_SEARCHES_MS)
    for (const index of indices) await this.#client.send('DELETE', `/${index}?ignore_unavailable=true`)
    this.#created.clear()
  }

  /** Size on all disks. */
  async bytes(): Promise<number> {
    type Stats = { _all: { total: { store?: { size_in_bytes: number } } } }
    const stats = await this.#client.getOrNull<Stats>(`/${this.#location.prefix}/_stats/store`)
    return stats?._all.total.store?.size_in_bytes ?? 0
  }

  /** Makes everything written so far visible to searches. */
  async refresh(): Promise<void> {
    await this.#client.send(
      'POST',
      `/${this.#location.prefix}-*/_refresh?ignore_unavailable=true&allow_no_indices=true`,
    )
  }
}
