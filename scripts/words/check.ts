// Part of `npm run check`: names that the glossary retired may not come back, and texts for users hold no raw names of
// states and reasons, and spell "URL" in capitals.

import { readFileSync } from 'node:fs'
import { CRAWL_STATUSES, URL_STATES } from '../../src/lib/states.ts'
import { readWords, type Word } from './source.ts'

const RAW_NAMES = [...URL_STATES, ...CRAWL_STATUSES].filter((name) => name.includes('_'))
/** Code inside a text: a flag, a path, a placeholder or anything in backticks. */
const CODE = /`[^`]*`|--[\w-]+|<[^>]*>|\S*[/=]\S*/g

const { identifiers, texts } = readWords()
const retired = retiredNames(readFileSync('docs/reference/glossary.md', 'utf8'))
const problems = [
  ...identifiers.flatMap((word) =>
    report(word, retiredIn(word.text), 'is a retired name; docs/reference/glossary.md says what to use'),
  ),
  ...texts.flatMap((word) => report(word, rawNameIn(word.text), 'is a raw name in a text for users')),
  ...texts.flatMap((word) => report(word, /\burls?\b/.exec(word.text.replace(CODE, ''))?.[0], 'should be URL')),
]
for (const problem of problems) console.error(problem)
console.log(`${identifiers.length} identifiers and ${texts.length} texts checked, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

function report({ file, line, text }: Word, found: string | undefined, what: string): string[] {
  return found === undefined ? [] : [`${file}:${line}: "${found}" in "${text.slice(0, 80)}" ${what}`]
}

/** The first column of the table under "Retired names". */
function retiredNames(glossary: string): Set<string> {
  const section = /\n## Retired names\n([\s\S]*?)(\n## |$)/.exec(glossary)?.[1]
  if (section === undefined) throw new Error('docs/reference/glossary.md has no section "Retired names".')
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const names = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  if (names.length === 0) throw new Error('docs/reference/glossary.md lists no retired names.')
  return new Set(names)
}

/** `Crew` is found in Crew and CrewSettings, not in Screw; `crew` in crew and crewSize. */
function retiredIn(identifier: string): string | undefined {
  if (retired.has(identifier)) return identifier
  return identifier.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)?.find((part) => retired.has(part))
}

function rawNameIn(text: string): string | undefined {
  const plain = text.replace(CODE, '')
  return RAW_NAMES.find((name) => new RegExp(`\\b${name}\\b`).test(plain))
}
