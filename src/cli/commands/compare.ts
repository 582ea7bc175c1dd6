// Compares two exports, or two crawls of a store or a server.

import type { ClientResponse } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { compareExports } from '../files/compare-exports.ts'
import { formatChange } from '../format/format-change.ts'
import { groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { withReadClient } from '../read-client/read-client.ts'

const MAX_SHOWN = 20
const READ_AT_ONCE = 1000

export const compare: Command = {
  usage: '<id> <id> | <a.jsonl> <b.jsonl>',
  help: 'Compare two crawls, or two exports. Exit code 1 if they differ.',
  maxArguments: 2,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, args, io) {
    const [a, b] = args
    if (a === undefined || b === undefined) {
      throw new AppError('USAGE', 'Give two crawls by their ids, or two JSONL exports by their names.')
    }
    const areIds = [a, b].every((name) => /^[\w-]+$/.test(name))
    return areIds ? compareCrawls(a, b, { config, io }) : compareFiles(a, b, { config, io })
  },
}

interface Context {
  config: Config
  io: Io
}

type Difference = ClientResponse<'compareCrawls'>['items'][number]

async function compareCrawls(a: string, b: string, { config, io }: Context): Promise<number> {
  return withReadClient(config, io, async (client) => {
    const ids = { a: await client.findCrawlId(a), b: await client.findCrawlId(b) }
    const limit = config.json ? READ_AT_ONCE : MAX_SHOWN
    let page = await client.compareCrawls({ query: { ...ids, limit } })
    const { added, removed, changed, same } = page
    const count = added + removed + changed
    if (config.json) {
      io.stdout.write(jsonLine({ ...ids, added, removed, changed, same }))
      for (;;) {
        for (const difference of page.items) io.stdout.write(jsonLine(difference))
        if (page.next_cursor === null) break
        page = await client.compareCrawls({ query: { ...ids, limit, cursor: page.next_cursor } })
      }
      return count === 0 ? 0 : 1
    }
    const lines = [
      `added    ${groupDigits(added)}`,
      `removed  ${groupDigits(removed)}`,
      `changed  ${groupDigits(changed)}`,
      `same     ${groupDigits(same)}`,
      ...page.items.map(differenceLine),
    ]
    const left = count - page.items.length
    if (left > 0) lines.push(`${pluralize(left, 'more difference')}; --json prints all of them.`)
    lines.push(count === 0 ? 'The crawls are the same.' : 'The crawls differ.')
    io.stdout.write(`${lines.join('\n')}\n`)
    return count === 0 ? 0 : 1
  })
}

const SIGNS: Record<Difference['change'], string> = { added: '+', removed: '-', changed: '~' }

function differenceLine({ change, url, fields, before, after }: Difference): string {
  const values = fields.map((field) => formatChange(field, before?.[field], after?.[field]))
  return `  ${SIGNS[change]} ${sanitizeText(url)}${values.length === 0 ? '' : `: ${values.join(', ')}`}`
}

async function compareFiles(a: string, b: string, { config, io }: Context): Promise<number> {
  const result = await compareExports(a, b)
  const differs = result.onlyA.count + result.onlyB.count + result.changed.count > 0
  const print = (line: string) => io.stdout.write(`${line}\n`)
  if (config.json) {
    io.stdout.write(jsonLine(result))
    return differs ? 1 : 0
  }
  print(`${groupDigits(result.totalA)} URLs in ${a}, ${groupDigits(result.totalB)} in ${b}`)
  print(`Only in the first: ${groupDigits(result.onlyA.count)}`)
  for (const url of result.onlyA.examples) print(`  ${sanitizeText(url)}`)
  print(`Only in the second: ${groupDigits(result.onlyB.count)}`)
  for (const url of result.onlyB.examples) print(`  ${sanitizeText(url)}`)
  print(`Changed: ${groupDigits(result.changed.count)}`)
  for (const { url, differences } of result.changed.examples) {
    const what = differences.map(({ column, a, b }) => formatChange(column, a, b))
    print(`  ${sanitizeText(url)}: ${what.join(', ')}`)
  }
  print(differs ? 'The exports differ.' : 'The exports are the same.')
  return differs ? 1 : 0
}
