// The URLs of a crawl by host and folder, in memory: source of the tree, the treemap and the groups of the graph. A
// folder contains the URLs whose path continues after its own; `own` are the URLs directly in it, including the page
// of the folder itself (/docs, if there is a /docs/install). Labels: `a.test/docs` is a folder with everything below
// it, `a.test/docs/` only the URLs directly in it.

import { URL_STATES, type UrlState } from '../../../lib/states.ts'

/** State number of excluded URLs that the crawl did not get to, in addition to URL_STATES. */
export const LEFT_OUT = URL_STATES.length
const STATE_COUNT = URL_STATES.length + 1

/** Columns with one entry per URL, in order of ids. */
export interface TreeUrls {
  ids: Float64Array
  keyLow: Uint32Array
  keyHigh: Uint32Array
  folders: Uint32Array
  /** Positions in URL_STATES, or LEFT_OUT. */
  states: Uint8Array
  depths: Uint16Array
  /** Positions; -1: none, or not in the tree. */
  parents: Int32Array
  bytes: Float64Array
  /** NaN: not fetched. */
  fetchMs: Float32Array
}

export interface Folder {
  /** -1 for a host. */
  parent: number
  name: string
  label: string
  children: number[]
}

/** Figures of one folder. */
export interface FolderTotals {
  urls: number
  bytes: number
  meanFetchMs: number | null
  states: Partial<Record<UrlState, number>>
  leftOut: number
}

/** The folder, or URLs directly in it, that a label refers to. */
export interface LabelledPart {
  folder: number
  isOwn: boolean
}

export class PathTree {
  readonly urls: TreeUrls
  /** Every folder comes after its parent. */
  readonly folders: readonly Folder[]
  readonly hosts: readonly number[]
  /** False if the crawl has more URLs than were read. */
  readonly isWhole: boolean
  readonly #byLabel = new Map<string, number>()
  readonly #own: UrlSums
  readonly #all: UrlSums

  constructor(urls: TreeUrls, folders: readonly Folder[], isWhole: boolean) {
    this.urls = urls
    this.folders = folders
    this.isWhole = isWhole
    this.hosts = folders.flatMap(({ parent }, i) => (parent === -1 ? [i] : []))
    folders.forEach(({ label, parent }, i) => {
      this.#byLabel.set(label, i)
      if (parent !== -1) folders[parent]?.children.push(i)
    })
    this.#own = new UrlSums(folders.length)
    for (let i = 0; i < urls.ids.length; i++) this.#own.addUrl(urls.folders[i] ?? 0, urls, i)
    this.#all = this.#own.copy()
    for (let i = folders.length - 1; i >= 0; i--) {
      const parent = folders[i]?.parent ?? -1
      if (parent !== -1) this.#all.addFolder(parent, i)
    }
  }

  find(label: string): LabelledPart | null {
    const isOwn = label.endsWith('/')
    const folder = this.#byLabel.get(isOwn ? label.slice(0, -1) : label)
    return folder === undefined ? null : { folder, isOwn }
  }

  urlCount({ folder, isOwn }: LabelledPart): number {
    return (isOwn ? this.#own : this.#all).urls[folder] ?? 0
  }

  totals({ folder, isOwn }: LabelledPart): FolderTotals {
    return (isOwn ? this.#own : this.#all).read(folder)
  }

  /** Subfolders with the most URLs first. */
  children(folder: number): number[] {
    const { urls } = this.#all
    return (this.folders[folder]?.children ?? []).toSorted((a, b) => (urls[b] ?? 0) - (urls[a] ?? 0) || a - b)
  }

  /** Positions of the URLs, in order of ids. */
  positions({ folder, isOwn }: LabelledPart): number[] {
    const isIn = new Uint8Array(this.folders.length)
    isIn[folder] = 1
    this.folders.forEach(({ parent }, i) => {
      // A folder comes after its parent.
      if (!isOwn && parent !== -1 && isIn[parent] === 1) isIn[i] = 1
    })
    const positions: number[] = []
    this.urls.folders.forEach((at, i) => {
      if (isIn[at] === 1) positions.push(i)
    })
    return positions
  }
}

/** Sums of URLs by folder, or by another group. */
export class UrlSums {
  readonly urls: Uint32Array
  readonly #bytes: Float64Array
  readonly #fetchMs: Float64Array
  readonly #fetches: Uint32Array
  readonly #states: Uint32Array

  constructor(folders: number) {
    this.urls = new Uint32Array(folders)
    this.#bytes = new Float64Array(folders)
    this.#fetchMs = new Float64Array(folders)
    this.#fetches = new Uint32Array(folders)
    this.#states = new Uint32Array(folders * STATE_COUNT)
  }

  copy(): UrlSums {
    const copy = new UrlSums(this.urls.length)
    copy.urls.set(this.urls)
    copy.#bytes.set(this.#bytes)
    copy.#fetchMs.set(this.#fetchMs)
    copy.#fetches.set(this.#fetches)
    copy.#states.set(this.#states)
    return copy
  }

  addUrl(folder: number, { bytes, fetchMs, states }: TreeUrls, i: number): void {
    const ms = fetchMs[i] ?? Number.NaN
    const at = folder * STATE_COUNT + (states[i] ?? 0)
    this.urls[folder] = (this.urls[folder] ?? 0) + 1
    this.#bytes[folder] = (this.#bytes[folder] ?? 0) + (bytes[i] ?? 0)
    this.#states[at] = (this.#states[at] ?? 0) + 1
    if (Number.isNaN(ms)) return
    this.#fetchMs[folder] = (this.#fetchMs[folder] ?? 0) + ms
    this.#fetches[folder] = (this.#fetches[folder] ?? 0) + 1
  }

  addFolder(to: number, from: number): void {
    for (const column of [this.urls, this.#bytes, this.#fetchMs, this.#fetches]) {
      column[to] = (column[to] ?? 0) + (column[from] ?? 0)
    }
    for (let state = 0; state < STATE_COUNT; state++) {
      const at = to * STATE_COUNT + state
      this.#states[at] = (this.#states[at] ?? 0) + (this.#states[from * STATE_COUNT + state] ?? 0)
    }
  }

  read(folder: number): FolderTotals {
    const fetches = this.#fetches[folder] ?? 0
    const states: Partial<Record<UrlState, number>> = {}
    for (let i = 0; i < STATE_COUNT; i++) {
      const count = this.#states[folder * STATE_COUNT + i] ?? 0
      if (count > 0) states[treeState(i)] = (states[treeState(i)] ?? 0) + count
    }
    return {
      urls: this.urls[folder] ?? 0,
      bytes: this.#bytes[folder] ?? 0,
      meanFetchMs: fetches === 0 ? null : Math.round((this.#fetchMs[folder] ?? 0) / fetches),
      states,
      leftOut: this.#states[folder * STATE_COUNT + LEFT_OUT] ?? 0,
    }
  }
}

/** Converts a state number of the tree. */
export function treeState(number: number | undefined): UrlState {
  return number === LEFT_OUT ? 'excluded' : (URL_STATES[number ?? 0] ?? 'queued')
}
