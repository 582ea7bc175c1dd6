// `npm run bench:monitors -- --documents FOLDER... --pages FOLDER...`: how many copies of protected documents are found,
// how many hits are wrong, and what do monitors cost beside the indexer? Passages of pages in the first folders are
// planted into the paragraphs of pages in the second ones, edited. Documented with HTML pages of the Debian packages
// postgresql-doc-15, python3.11-doc and python-django-doc as documents, and apache2-doc (manual/en), erlang-doc,
// sqlite3-doc, git-doc and python-pandas-doc as pages.

import { parseArgs } from 'node:util'
import { makePrivateFolder } from '../src/lib/private-files.ts'
import type { CopiedPassage } from '../src/ports/monitors.ts'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'
import { formatCount, formatFixed, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import { indexWithMonitors, type MonitoredPages } from './monitors/index-with-monitors.ts'
import {
  type PlantedPage,
  type Planting,
  plantCopies,
  readSources,
  withoutRealCopies,
} from './monitors/planted-pages.ts'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', multiple: true, default: [] },
    pages: { type: 'string', multiple: true, default: [] },
    count: { type: 'string', default: '3000' },
    'document-count': { type: 'string', default: '350' },
  },
})

/** The first two are the goal, the last two are no copies. */
const PLANTINGS: (Planting & { isCopy: boolean })[] = [
  { length: 50, editedPercent: 10, isCopy: true },
  { length: 100, editedPercent: 10, isCopy: true },
  { length: 50, editedPercent: 0, isCopy: true },
  { length: 50, editedPercent: 20, isCopy: true },
  { length: 100, editedPercent: 20, isCopy: true },
  { length: 20, editedPercent: 0, isCopy: false },
  { length: 30, editedPercent: 0, isCopy: false },
]
const GOALS = { recall: 0.95, precision: 0.99, costShare: 0.1 }

exitOnSignals()
await runToExitCode(async () => {
  if (values.documents.length === 0 || values.pages.length === 0) {
    throw new Error('Name --documents FOLDER and --pages FOLDER, each with HTML files; both may be repeated.')
  }
  const documents = readSources(values.documents, Number(values['document-count']), 1)
  const all = readSources(values.pages, Number(values.count), 2)
  const sources = withoutRealCopies(all, documents)
  const pages = plantCopies(sources, documents, PLANTINGS)
  const words = documents.reduce((sum, document) => sum + document.words.length, 0)
  console.log(
    `${formatCount(pages.length)} pages, ${formatCount(documents.length)} documents of ${formatCount(words)} words; left out ${all.length - sources.length} pages that have passages of a document already.`,
  )
  const workspace = makeWorkspace()
  const run = (name: string, html: string[]) => {
    const dir = workspace.folder(name)
    makePrivateFolder(dir)
    return indexWithMonitors(html, documents, dir)
  }
  try {
    const planted = await run(
      'planted',
      pages.map(({ html }) => html),
    )
    const isGood = reportCopies(pages, planted)
    // Measured on pages without planted copies: evidence is only gathered for hits, which are rare.
    const plain = pages.filter(({ copy }) => copy === null).map(({ html }) => html)
    return reportCost(plain.length, await run('plain', plain)) && isGood
  } finally {
    workspace.remove()
  }
})

function reportCopies(pages: readonly PlantedPage[], { copies }: MonitoredPages): boolean {
  const outcomes = pages.map((page, i) => ({ page, outcome: judge(page, copies[i] ?? []) }))
  const rows = PLANTINGS.map(({ length, editedPercent, isCopy }) => {
    const same = outcomes.filter(
      ({ page }) => page.copy?.length === length && page.copy.editedPercent === editedPercent,
    )
    const found = same.filter(({ outcome }) => outcome === 'found').length
    return { length, editedPercent, isCopy, planted: same.length, share: found / same.length }
  })
  printTable(
    'Copies found',
    ['words', 'edited', 'planted', 'found'],
    rows.map(({ length, editedPercent, isCopy, planted, share }) => [
      `${length}${isCopy ? '' : ' (quotation)'}`,
      `${editedPercent}%`,
      formatCount(planted),
      formatFixed(share, 3),
    ]),
  )
  const hits = outcomes.filter(({ outcome }) => outcome !== 'none')
  const right = hits.filter(({ page, outcome }) => outcome === 'found' && isPlantedCopy(page)).length
  const precision = right / hits.length
  console.log(`${hits.length} hits, ${hits.length - right} of them wrong: precision ${formatFixed(precision, 4)}.`)
  const goals = rows.filter(({ length, editedPercent }) => length >= 50 && editedPercent === 10)
  return precision >= GOALS.precision && goals.every(({ share }) => share >= GOALS.recall)
}

function isPlantedCopy({ copy }: PlantedPage): boolean {
  return PLANTINGS.some(
    ({ length, editedPercent, isCopy }) => isCopy && copy?.length === length && copy.editedPercent === editedPercent,
  )
}

/** A hit is right if it shows the planted copy. */
function judge({ copy }: PlantedPage, copies: readonly CopiedPassage[]): 'found' | 'wrong' | 'none' {
  if (copies.length === 0) return 'none'
  const planted = new Set(copy?.words.map((word) => word.toLowerCase()))
  const isShown = copies.some(({ onPage }) => {
    const shown = onPage.text.toLowerCase().split(/[^\p{L}\p{N}'’]+/u)
    return shown.filter((word) => planted.has(word)).length > shown.length / 2
  })
  return isShown ? 'found' : 'wrong'
}

function reportCost(pages: number, { indexMs, loadMs, rulesMs }: MonitoredPages): boolean {
  const row = (name: string, ms: number) => [
    name,
    `${formatFixed((1000 * ms) / pages, 0)} us`,
    `${formatFixed((100 * ms) / indexMs, 1)}%`,
  ]
  printTable(
    'CPU per page without hits',
    ['step', 'CPU', 'of indexing'],
    [row('indexing', indexMs), ...Object.entries(rulesMs).map(([name, ms]) => row(`monitor: ${name}`, ms))],
  )
  console.log(`Reading the documents takes ${formatFixed(loadMs, 0)} ms once.`)
  const { 'selector that every page has': _parsed, ...bounded } = rulesMs
  return Object.values(bounded).every((ms) => ms / indexMs < GOALS.costShare)
}
