// Part of `npm run check`: which folders of src may import which. The table is the only place that says so. Tests and
// test support are free; the linter finds cycles between files.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

/** The first folder that contains a file decides. It may import what is listed, and packages. */
const ARROWS: [folder: string, mayImport: string[]][] = [
  ['src/lib/', ['lib/']],
  ['src/config/', ['lib/', 'config/']],
  ['src/ports/', ['lib/', 'config/', 'ports/']],
  ['src/frontier/', ['lib/', 'config/', 'ports/', 'frontier/']],
  ['src/demo/', ['lib/', 'demo/']],
  ['src/engine/', ['lib/', 'config/', 'ports/', 'engine/']],
  ['src/archive/', ['lib/', 'ports/', 'archive/']],
  ['src/store/', ['lib/', 'config/', 'ports/', 'frontier/', 'store/']],
  // The index of a cluster lives in the database of its store, and shares its connections.
  ['src/search/postgres/', ['lib/', 'ports/', 'engine/', 'search/', 'store/']],
  // Has the documents of such an index, and leaves the rest to it.
  ['src/search/opensearch/', ['lib/', 'config/', 'ports/', 'search/', 'store/postgres/']],
  ['src/search/', ['lib/', 'config/', 'ports/', 'engine/', 'search/']],
  ['src/render/', ['lib/', 'config/', 'ports/', 'engine/', 'render/']],
  ['src/changes/', ['lib/', 'config/', 'ports/', 'engine/', 'search/', 'changes/']],
  ['src/monitor/', ['lib/', 'config/', 'ports/', 'engine/', 'changes/', 'monitor/']],
  ['src/audit/', ['lib/', 'config/', 'ports/', 'engine/', 'audit/']],
  ['src/worker/', ['lib/', 'config/', 'ports/', 'engine/', 'render/pool/', 'worker/']],
  ['src/api/', ['lib/', 'config/', 'ports/', 'engine/', 'search/', 'changes/', 'monitor/', 'audit/', 'api/']],
  ['src/mcp/', ['lib/', 'ports/', 'api/', 'mcp/']],
  ['src/compat/', ['lib/', 'config/', 'ports/', 'engine/', 'api/', 'compat/']],
  ['src/cli/', ['lib/', 'config/', 'ports/', 'engine/', 'search/', 'changes/', 'monitor/', 'audit/', 'api/', 'cli/']],
  // `setup` chooses between stores, archives and search engines; main.ts loads it when a command needs it.
  ['src/setup/', ['']],
  // What programs import; like main.ts, it builds everything.
  ['src/library/', ['']],
  ['src/main.ts', ['']],
  ['web/', ['api/client.ts', 'api/contract/']],
]
/** Chosen by setup; everybody else takes a port. */
const SEARCH_ENGINES = ['src/search/sqlite/', 'src/search/postgres/', 'src/search/opensearch/']
const USED_BY_ENGINE = { 'src/search/opensearch/': 'src/search/postgres/' }
/** The engine gets its clock, threads and storage as arguments. */
const FORBIDDEN_IN_ENGINE = ['node:sqlite', 'node:worker_threads']

let problems = 0
for (const file of globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], { exclude: ['web/dist/**'] }).sort()) {
  if (/\.test\.ts$|\/testing\/|\/contracts\//.test(file)) continue
  for (const specifier of importsOf(file)) {
    const target = specifier.startsWith('.') ? join(dirname(file), specifier) : specifier
    if (isAllowed(file, target)) continue
    console.error(`${file} may not import ${target}: see the table in scripts/check-imports.ts`)
    problems += 1
  }
}
process.exitCode = problems === 0 ? 0 : 1

function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/(?:\bfrom|^import|\bimport\(|\bnew URL\()\s*'([^']+)'/gm)
  return [...imports].map(([, specifier = '']) => specifier)
}

function isAllowed(file: string, target: string): boolean {
  if (!target.startsWith('src/')) return !(file.startsWith('src/engine/') && FORBIDDEN_IN_ENGINE.includes(target))
  const [, mayImport] = ARROWS.find(([folder]) => file.startsWith(folder)) ?? ['', []]
  const isUsed = Object.entries(USED_BY_ENGINE).some(([user, used]) => file.startsWith(user) && target.startsWith(used))
  const isHidden = !isUsed && SEARCH_ENGINES.some((engine) => target.startsWith(engine) && !file.startsWith(engine))
  if (isHidden && !mayImport.includes('')) return false
  return mayImport.some((allowed) => target.startsWith(`src/${allowed}`))
}
