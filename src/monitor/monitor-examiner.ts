// Examines every committed page version with the monitors that watch it, and stores their hits. Any number of
// processes may do so, and a version may be examined again: the store keeps one hit per monitor and version.
//
// The monitors are read again when a version was visited after they were last read. A monitor created later than that
// does not watch older versions, so none is missed.

import { type PageTree, readTree } from '../engine/select/page-tree.ts'
import type { Clock } from '../lib/clock.ts'
import { asAppError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { Finding, MonitorHits, Monitors, ProtectedDocuments } from '../ports/monitors.ts'
import type { PageVersion } from '../ports/pages.ts'
import type { VersionConsumer, VersionContent } from '../ports/versions.ts'
import { type CompiledMonitor, compileMonitor } from './compile-monitor.ts'
import { ProtectedSet } from './copies/protected-set.ts'
import { type TextWords, WordSplitter } from './text-words.ts'
import { type Conclude, keepState, NO_VERDICT, type PageContent } from './verdict.ts'

export interface MonitorExaminerDependencies {
  monitors: Pick<Monitors, 'list' | 'revision'>
  documents: ProtectedDocuments
  hits: Pick<MonitorHits, 'seen' | 'record'>
  clock: Clock
  log: Log
}

interface LoadedSet {
  /** The documents it was loaded from. */
  key: string
  set: ProtectedSet
}

interface Checked {
  id: string
  conclude: Conclude | null
}

export class MonitorExaminer implements VersionConsumer {
  readonly #dependencies: MonitorExaminerDependencies
  readonly #splitter = new WordSplitter()
  #monitors: CompiledMonitor[] = []
  #sets = new Map<string, LoadedSet>()
  #revision = -1
  #readAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: MonitorExaminerDependencies) {
    this.#dependencies = dependencies
  }

  wants(version: PageVersion): boolean {
    return this.#isUnread(version) || this.#monitors.some((monitor) => monitor.watches(version))
  }

  async examine(version: PageVersion, content: VersionContent): Promise<void> {
    if (this.#isUnread(version)) await this.#readMonitors()
    const watching = this.#monitors.filter((monitor) => monitor.watches(version))
    if (watching.length === 0) return
    const page = this.#toPageContent(version, content)
    const checked = watching.map((monitor) => ({ id: monitor.id, conclude: this.#check(monitor, page) }))
    // A first version has no earlier state, so nothing has to be forgotten.
    const relevant = checked.filter(({ conclude }) => conclude !== null || version.version > 1)
    if (relevant.length > 0) await this.#record(version, relevant)
  }

  #isUnread({ visitedAt }: PageVersion): boolean {
    return visitedAt >= this.#readAt
  }

  /** A rule that fails must not stop the pages of all others. */
  #check({ id, check }: CompiledMonitor, page: PageContent): Conclude | null {
    try {
      return check(page)
    } catch (error) {
      const { message } = asAppError(error)
      this.#dependencies.log.warn('monitor failed on a page', { monitor: id, url: page.url, message })
      return keepState
    }
  }

  async #record(version: PageVersion, checked: Checked[]): Promise<void> {
    const { hits, clock } = this.#dependencies
    const { id: pageId, crawlId, url, title, visitedAt } = version
    const page = { pageId, crawlId, url, version: version.version, title, visitedAt }
    const seen = await hits.seen(
      url,
      checked.map(({ id }) => id),
    )
    const findings: Finding[] = []
    for (const { id, conclude } of checked) {
      const before = seen[id]
      if (before !== undefined && before.visitedAt >= visitedAt) continue
      const verdict = conclude === null ? NO_VERDICT : await conclude(before?.state ?? null)
      const isNothing = verdict.state === null && verdict.evidence === null && before === undefined
      if (!isNothing) findings.push({ monitorId: id, page, ...verdict, at: clock.now() })
    }
    if (findings.length > 0) await hits.record(findings)
  }

  #toPageContent({ url, lang }: PageVersion, content: VersionContent): PageContent {
    let words: TextWords | null = null
    let tree: PageTree | null | undefined
    return {
      url,
      lang,
      html: content.html,
      text: () => content.text(),
      words: () => {
        words ??= this.#splitter.split(content.text())
        return words
      },
      tree: () => {
        if (tree === undefined) tree = content.html === null ? null : readTree(content.html)
        return tree
      },
    }
  }

  async #readMonitors(): Promise<void> {
    const { monitors, clock, log } = this.#dependencies
    const readAt = clock.now()
    const revision = await monitors.revision()
    if (revision !== this.#revision) {
      const rows = await monitors.list()
      const compiled: CompiledMonitor[] = []
      const sets = new Map<string, LoadedSet>()
      for (const row of rows) {
        const loaded = row.rule.kind === 'copies' ? await this.#loadSet(row.id) : null
        if (loaded !== null) sets.set(row.id, loaded)
        const minWords = row.rule.kind === 'copies' ? row.rule.minWords : 0
        try {
          compiled.push(compileMonitor(row, loaded?.set.check(minWords) ?? (() => null)))
        } catch (error) {
          log.warn('monitor left out', { monitor: row.id, message: asAppError(error).message })
        }
      }
      this.#monitors = compiled
      this.#sets = sets
      this.#revision = revision
    }
    this.#readAt = readAt
  }

  async #loadSet(monitorId: string): Promise<LoadedSet> {
    const { documents } = this.#dependencies
    const key = (await documents.list(monitorId)).map(({ id }) => id).join(' ')
    const known = this.#sets.get(monitorId)
    return known?.key === key ? known : { key, set: await ProtectedSet.load(monitorId, documents) }
  }
}
