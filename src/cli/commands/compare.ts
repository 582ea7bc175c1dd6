import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { compareExports } from '../files/compare-exports.ts'
import { groupDigits, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'

export const compare: Command = {
  usage: '<a.jsonl> <b.jsonl>',
  help: 'Compare two exports; exit code 1 if they differ.',
  maxArguments: 2,
  settings: ['config', 'json'],
  async run(config, args, io) {
    const [a, b] = args
    if (a === undefined || b === undefined) throw new AppError('USAGE', 'Give two JSONL exports to compare.')
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
      const what = differences.map(({ column, a, b }) => `${column} ${formatValue(a)} -> ${formatValue(b)}`)
      print(`  ${sanitizeText(url)}: ${what.join(', ')}`)
    }
    print(differs ? 'The exports differ.' : 'The exports are the same.')
    return differs ? 1 : 0
  },
}

function formatValue(value: unknown): string {
  return value === null || value === undefined ? 'nothing' : sanitizeText(String(value))
}
