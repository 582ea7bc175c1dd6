// Folders of HTML files, such as the documentation packages of a distribution, as one web site on loopback. Each
// folder is served below the last two parts of its path, because many are called html.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { Site } from './serve-site.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.pdf': 'application/pdf',
}

export interface FolderSite extends Site {
  /** The paths of all files. */
  paths: string[]
}

export function makeFolderSite(name: string, folders: string[]): FolderSite {
  const files = new Map<string, string>()
  const hash = createHash('sha256')
  for (const folder of folders.map((path) => resolve(path))) {
    const prefix = prefixOf(folder)
    for (const path of listFiles(folder)) {
      const file = join(folder, path)
      files.set(`${prefix}/${path}`, file)
      hash.update(`${prefix}/${path} ${statSync(file).size}\n`)
    }
  }
  const seeds = folders.map((folder) => `${prefixOf(resolve(folder))}/index.html`)
  const missing = seeds.find((seed) => !files.has(seed))
  if (missing !== undefined) throw new Error(`There is no ${missing}, so the crawl has nowhere to start.`)
  return {
    name,
    fingerprint: hash.digest('hex'),
    urls: null,
    seeds,
    crawlFlags: [],
    paths: [...files.keys()],
    respond(url) {
      const path = decodePath(url)
      const file = path === null ? undefined : files.get(path.endsWith('/') ? `${path}index.html` : path)
      if (file === undefined) return null
      return { type: TYPES[extname(file)] ?? 'application/octet-stream', body: readFileSync(file) }
    },
  }
}

/** Null if the path is malformed, as some links of real pages are. */
function decodePath(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url, 'http://site').pathname)
  } catch {
    return null
  }
}

function prefixOf(folder: string): string {
  return `/${folder.split('/').slice(-2).join('/')}`
}

/** Paths relative to the folder. Links to files are followed, broken ones are left out. */
function listFiles(folder: string): string[] {
  const found: string[] = []
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (statSync(join(folder, path), { throwIfNoEntry: false })?.isFile()) found.push(path)
  }
  return found.sort()
}
