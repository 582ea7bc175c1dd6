// `npm run bench:content -- FOLDER`: how much of the main content of a page is found, and how much else? FOLDER has a
// subfolder per set of documentation pages, such as the unpacked -doc packages of Debian. Generators mark the main
// content in known ways (content/main-markers.ts); the mark is removed before extraction. Prints precision, recall and
// F1 of words, as means over pages. Flags: --per-folder N, --python PATH (an interpreter that has trafilatura),
// --worst N (lists the pages with the lowest F1), --only NAME.

import { parseArgs } from 'node:util'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'
import { formatFixed, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import { installPeers } from './contenders.ts'
import { type Extraction, findExtractors } from './content/extractors.ts'
import { compareWords, type Overlap } from './content/html-text.ts'
import type { JudgedPage } from './content/main-markers.ts'
import { readJudgedPages } from './content/read-pages.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'per-folder': { type: 'string', default: '5' },
    python: { type: 'string' },
    worst: { type: 'string', default: '0' },
    only: { type: 'string', multiple: true },
  },
})

exitOnSignals()
await runToExitCode(async () => {
  const [folder] = positionals
  if (folder === undefined) throw new Error('Name a folder with pages: npm run bench:content -- FOLDER')
  installPeers()
  const sets = readJudgedPages(folder, Number(values['per-folder']))
  const pages = [...sets.values()].flat()
  if (pages.length === 0) throw new Error(`No page in ${folder} has marked content.`)
  const extractors = findExtractors(values.python ?? null).filter(([name]) => values.only?.includes(name) ?? true)
  const workspace = makeWorkspace()
  try {
    const results = extractors.map(([name, extract]) => ({ name, ...score(extract(pages, workspace), pages) }))
    printTable(
      `${pages.length} pages of ${sets.size} sets`,
      ['extractor', 'precision', 'recall', 'F1', 'F1 of the worst tenth', 'CPU ms/page'],
      results.map(({ name, scores, cpuMs }) => [
        name,
        ...(['precision', 'recall', 'f1'] as const).map((key) => formatFixed(mean(scores.map((s) => s[key])), 3)),
        formatFixed(worstTenth(scores), 3),
        formatFixed(cpuMs / pages.length, 1),
      ]),
    )
    const names = [...sets.keys()]
    printTable(
      'F1 by set',
      ['set', 'pages', ...results.map(({ name }) => name)],
      names.map((name) => {
        const ofSet = sets.get(name) ?? []
        const f1 = results.map(({ scores }) => mean(ofSet.map((page) => scores[pages.indexOf(page)]?.f1 ?? 0)))
        return [name, String(ofSet.length), ...f1.map((value) => formatFixed(value, 3))]
      }),
    )
    for (const { name, scores } of results) listWorst(name, scores, pages, Number(values.worst))
    return true
  } finally {
    workspace.remove()
  }
})

function score({ texts, cpuMs }: Extraction, pages: readonly JudgedPage[]) {
  return { scores: pages.map(({ reference }, i) => compareWords(texts[i] ?? '', reference)), cpuMs }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function worstTenth(scores: readonly Overlap[]): number {
  const sorted = scores.map(({ f1 }) => f1).sort((a, b) => a - b)
  return mean(sorted.slice(0, Math.ceil(sorted.length / 10)))
}

function listWorst(name: string, scores: readonly Overlap[], pages: readonly JudgedPage[], count: number): void {
  const order = scores.map((overlap, i) => ({ overlap, page: pages[i] })).sort((a, b) => a.overlap.f1 - b.overlap.f1)
  for (const { overlap, page } of order.slice(0, count)) {
    const { precision, recall, f1 } = overlap
    console.log(
      `${name}: F1 ${f1.toFixed(3)} (${precision.toFixed(2)}, ${recall.toFixed(2)}) ${page?.url} ${page?.marker}`,
    )
  }
}
