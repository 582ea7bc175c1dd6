// A crawl as a WACZ file (Web Archive Collection Zipped 1.1.1): its records as one WARC file, an index of them, the list
// of its pages, and the digests of all files. Streamed: only the index and the page list wait in a scratch file.

import { hash } from 'node:crypto'
import pkg from '../../../../package.json' with { type: 'json' }
import type { PageVersion } from '../../../ports/pages.ts'
import { type ExportedRecord, readRecords, type WarcExportDependencies } from '../export-pages.ts'
import { compressIndex, INDEX_FILE, toCdxjLines, toScreenshotLine } from './cdxj.ts'
import { LineSorter } from './line-sorter.ts'
import { type FileRange, ScratchFile } from './scratch-file.ts'
import { type ZipEntry, ZipWriter } from './zip-writer.ts'

export interface WaczExportDependencies extends WarcExportDependencies {
  /** Folder for temporary files. */
  scratchFolder: string
  now(): number
}

export async function* toWacz(
  pages: AsyncIterable<PageVersion>,
  dependencies: WaczExportDependencies,
): AsyncGenerator<Buffer> {
  const { crawl, scratchFolder } = dependencies
  const writtenAt = dependencies.now()
  const zip = new ZipWriter(writtenAt)
  const file = new ScratchFile(scratchFolder)
  try {
    const index = new LineSorter(file)
    const pageList = new PageList(file)
    const records = warcFile(pages, dependencies, { index, pageList })
    const resources = [yield* zip.entry(`archive/${crawl.id}.warc.gz`, records)]
    let secondIndex = ''
    const blocks = async function* () {
      secondIndex = yield* compressIndex(index.sorted())
    }
    resources.push(
      yield* zip.entry(`indexes/${INDEX_FILE}`, blocks()),
      yield* zip.entry('indexes/index.idx', [Buffer.from(secondIndex)]),
      yield* zip.entry('pages/pages.jsonl', pageList.read()),
    )
    const about = Buffer.from(JSON.stringify(dataPackage(resources, dependencies, writtenAt), null, 2))
    yield* zip.entry('datapackage.json', [about])
    const digest = { path: 'datapackage.json', hash: `sha256:${hash('sha256', about, 'hex')}` }
    yield* zip.entry('datapackage-digest.json', [Buffer.from(JSON.stringify(digest, null, 2))])
    yield zip.end()
  } finally {
    await file.close()
  }
}

async function* warcFile(
  pages: AsyncIterable<PageVersion>,
  dependencies: WaczExportDependencies,
  { index, pageList }: { index: LineSorter; pageList: PageList },
): AsyncGenerator<Buffer> {
  const { archive, crawl } = dependencies
  const filename = `${crawl.id}.warc.gz`
  const info = archive.makeWarcinfoRecord(filename, crawl.createdAt)
  yield info
  let offset = info.length
  for await (const record of readRecords(pages, dependencies)) {
    const { version, response, members } = record
    const [{ length } = info] = members
    for (const line of toCdxjLines(response, version.payloadDigest, { filename, offset, length })) await index.add(line)
    if (isPage(record)) await pageList.add(version)
    for (const member of members) {
      yield member
      offset += member.length
    }
    const last = members.at(-1)
    if (response.screenshot !== undefined && last !== undefined) {
      // The screenshot is the last record of its response.
      const place = { filename, offset: offset - last.length, length: last.length }
      await index.add(toScreenshotLine(response, response.screenshot, place))
    }
  }
}

/** Pages are what readers list as entry points: HTML that was found. */
function isPage({ version, which }: ExportedRecord): boolean {
  return (
    which === 'record' && !version.isRequisite && version.httpStatus === 200 && /html/i.test(version.contentType ?? '')
  )
}

/** Lines are written in pieces of about this many characters. */
const PIECE_CHARS = 256 * 1024

class PageList {
  readonly #file: ScratchFile
  readonly #written: FileRange[] = []
  #text = `${JSON.stringify({ format: 'json-pages-1.0', id: 'pages', title: 'Pages' })}\n`

  constructor(file: ScratchFile) {
    this.#file = file
  }

  async add({ id, url, visitedAt, title }: PageVersion): Promise<void> {
    const page = { id: String(id), url, ts: new Date(visitedAt).toISOString(), ...(title === null ? {} : { title }) }
    this.#text += `${JSON.stringify(page)}\n`
    if (this.#text.length < PIECE_CHARS) return
    this.#written.push(await this.#file.append(this.#text))
    this.#text = ''
  }

  async *read(): AsyncGenerator<Buffer> {
    for (const range of this.#written) yield* this.#file.read(range)
    yield Buffer.from(this.#text)
  }
}

function dataPackage(entries: ZipEntry[], { crawl }: WaczExportDependencies, writtenAt: number): object {
  return {
    profile: 'data-package',
    wacz_version: '1.1.1',
    title: `Crawl of ${crawl.rootUrl}`,
    mainPageUrl: crawl.rootUrl,
    created: new Date(writtenAt).toISOString(),
    software: `Orbweaver ${pkg.version}`,
    resources: entries.map(({ path, bytes, sha256 }) => ({
      name: path.slice(path.lastIndexOf('/') + 1).toLowerCase(),
      path,
      hash: `sha256:${sha256}`,
      bytes,
    })),
  }
}
