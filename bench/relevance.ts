// `npm run bench:relevance -- --collection DIR`: how good are the results? Serves the documents of a judged collection
// (BEIR format) as web pages, crawls and indexes them, asks its queries and compares the hits with the judgments.
// --engine (sqlite, postgres, opensearch, both for the first two, or all) and --shape select what to measure, --json writes the scores of every query to a file. --data keeps the
// crawled data, which later runs reuse; --reindex builds its index again.
//
// `npm run bench:relevance -- --known bench/relevance/known-items.json --pages FOLDER...`: is the page that people look
// for the first hit? Crawls folders of HTML files instead. The known items are pages of the Debian packages
// python3.11-doc, postgresql-doc-15, apache2-doc, git-doc and sqlite3-doc: /usr/share/doc/python3.11/html,
// postgresql-doc-15/html, apache2-doc/manual, git-doc and sqlite3. Those of known-items-frameworks.json are pages of
// python-django-doc, cmake-doc, python-pandas-doc and python-sqlalchemy-doc (html), and nodejs-doc (nodejs/api), those of
// known-items-questions.json pages of libreoffice-help-en-us, octave-doc, wireshark-doc and gimp-help-de. It also prints
// what the queries cost, and those of --questions FILE, which has lines like the queries.jsonl of a collection.

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import { SHAPES, type Shape } from './relevance/collection-site.ts'
import { ENGINES, type Engine, startEngine } from './relevance/engines.ts'
import { readQueries } from './relevance/read-collection.ts'
import { type CollectionRow, reportCollection } from './relevance/report-collection.ts'
import { type KnownItemRow, reportKnownItems } from './relevance/report-known-items.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    collection: { type: 'string' },
    known: { type: 'string' },
    pages: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', multiple: true, default: [] },
    engine: { type: 'string', default: 'sqlite' },
    shape: { type: 'string', default: 'both' },
    data: { type: 'string' },
    reindex: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

exitOnSignals()
await runToExitCode(async () => {
  const names = choose('engine', values.engine, ENGINES)
  const shapes = choose('shape', values.shape, SHAPES)
  const workspace = makeWorkspace()
  const data = values.data ?? workspace.folder('data')
  const engines: Engine[] = []
  try {
    const options = { data, isKept: values.data !== undefined, reindex: values.reindex }
    for (const name of names) engines.push(await startEngine(name, options))
    const rows = await measure(engines, shapes)
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
    return true
  } finally {
    for (const engine of engines) await engine.stop()
    workspace.remove()
  }
})

async function measure(engines: Engine[], shapes: Shape[]): Promise<CollectionRow[] | KnownItemRow[]> {
  if (values.known !== undefined) {
    const questions = values.questions.flatMap(readQueries)
    return reportKnownItems(values.known, { folders: [...values.pages, ...positionals], questions }, engines)
  }
  if (values.collection === undefined) throw new Error('Name --collection DIR, or --known FILE and --pages FOLDER...')
  return reportCollection(values.collection, engines, shapes)
}

function choose<Name extends string>(flag: string, value: string, names: readonly Name[]): Name[] {
  const all = value === 'both' ? names.slice(0, 2) : value === 'all' ? names : [value]
  const chosen = names.filter((name) => all.includes(name))
  if (chosen.length === 0) throw new Error(`--${flag} must be ${names.join(', ')}, both or all.`)
  return chosen
}
