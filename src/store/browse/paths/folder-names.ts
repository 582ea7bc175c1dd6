// Folders by host and path, created as URLs are read. Their number is bounded: hosts invent paths.

import type { Folder } from './path-tree.ts'

/** URLs further down belong to the folder at this depth. */
const MAX_SEGMENTS = 24
/** Beyond this number a URL belongs to the nearest folder that is known. */
const MAX_FOLDERS = 200_000

/**
 * Longest path of a folder; URLs further down belong to that folder too. Nearly all paths are shorter, and each is
 * kept in memory.
 */
export const MAX_FOLDER_PATH = 500

interface HostFolders {
  root: number
  /** Ids by path, as written in URLs. */
  byPath: Map<string, number>
}

export class FolderNames {
  /** Folders without labels and children. */
  readonly list: { parent: number; name: string; host: number; path: string }[] = []
  readonly #hosts = new Map<number, HostFolders>()

  /** The folder with this path on a host: `/a/b`, or an empty string. */
  get(host: number, path: string): number {
    const { root, byPath } = this.#hostFolders(host)
    const known = byPath.get(path)
    if (known !== undefined) return known
    let [folder, at] = [root, '']
    for (const name of path.split('/').filter(Boolean).slice(0, MAX_SEGMENTS)) {
      at += `/${name}`
      if (at.length > MAX_FOLDER_PATH) return folder
      const next = byPath.get(at)
      if (next === undefined && this.list.length >= MAX_FOLDERS) return folder
      folder = next ?? this.#create({ parent: folder, name, host, path: at })
      byPath.set(at, folder)
    }
    if (byPath.size < 2 * MAX_FOLDERS) byPath.set(path, folder)
    return folder
  }

  /** Undefined if no URL is below this path. */
  find(host: number, path: string): number | undefined {
    return this.#hosts.get(host)?.byPath.get(path)
  }

  toFolders(hostNames: ReadonlyMap<number, string>): Folder[] {
    return this.list.map(({ parent, name, host, path }) => {
      const hostName = hostNames.get(host) ?? ''
      return { parent, name: parent === -1 ? hostName : name, label: hostName + path, children: [] }
    })
  }

  #hostFolders(host: number): HostFolders {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const root = this.#create({ parent: -1, name: '', host, path: '' })
    const fresh = { root, byPath: new Map([['', root]]) }
    this.#hosts.set(host, fresh)
    return fresh
  }

  #create(folder: FolderNames['list'][number]): number {
    return this.list.push(folder) - 1
  }
}

/** The folder of a URL, and its whole path unless that ends in a slash. */
export function splitUrlPath(url: string): { folder: string; file: string | null } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start === -1) return { folder: '', file: null }
  const query = url.indexOf('?', start)
  const end = query === -1 ? url.length : query
  const slash = url.lastIndexOf('/', end - 1)
  return { folder: url.slice(start, slash), file: slash === end - 1 ? null : url.slice(start, end) }
}
