// Lists, sets and removes the policies of hosts, in the store or, with --server, on a running server.

import { explainPolicies } from '../../config/policies/explain-policies.ts'
import {
  EMPTY_POLICY,
  POLICY_FIELD_NAMES,
  type Policy,
  type PolicyFieldName,
  type PolicyRow,
  toPolicyRow,
} from '../../config/policies/policy.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { readPolicyFile } from '../files/policy-file.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { changePolicy, type PolicyAdmin, type PolicyChange, requireHost, withPolicyAdmin } from '../policy-admin.ts'

const ACTIONS =
  'Choose an action: policies list, policies set <host> delay=2000 rate=0.5, policies remove <host>, or policies explain <host>.'

export const policies: Command = {
  usage: 'list | set <host> <name>=<value>... | remove <host> | explain <host>',
  help: 'Set limits of hosts for all crawls. The names are weight, delay, per_host, rate, burst, max_pages, recrawl_min and recrawl_max; an empty value (delay=) removes it.',
  maxArguments: 2 + POLICY_FIELD_NAMES.length,
  settings: ['data', 'store', 'config', 'server', 'token', 'policies', 'json'],
  async run(config, [action, ...args], io) {
    switch (action) {
      case 'list':
        return withPolicyAdmin(config, io, (admin) => list(admin, config, io))
      case 'set':
        return setPolicies(config, args, io)
      case 'remove':
        return withPolicyAdmin(config, io, (admin) => remove(admin, requireHost(args[0]), io))
      case 'explain':
        return withPolicyAdmin(config, io, (admin) => explain(admin, requireHost(args[0]), config, io))
      default:
        throw new AppError('USAGE', ACTIONS)
    }
  },
}

const COLUMNS: TableColumn<PolicyRow>[] = [
  { title: 'host', align: 'left', value: (row) => row.host, isFlexible: true },
  ...POLICY_FIELD_NAMES.map((name) => ({
    title: name.replace('_', ' '),
    align: 'right' as const,
    value: (row: PolicyRow) => formatValue(name, row[name]),
  })),
]

function formatValue(name: PolicyFieldName, value: string | number | undefined): string {
  if (value === undefined) return '-'
  if (name === 'delay') return `${value} ms`
  return name === 'rate' ? `${value}/s` : String(value)
}

async function list(admin: PolicyAdmin, config: Config, io: Io): Promise<number> {
  const rows = (await admin.list()).map(toPolicyRow)
  if (config.json) for (const row of rows) io.stdout.write(jsonLine(row))
  else if (rows.length === 0) {
    const next = formatCommand(io.program, "policies set '*.example.com' delay=2000", config)
    io.stdout.write(`There are no policies. Set one with: ${next}\n`)
  } else {
    const used = COLUMNS.filter(({ value }) => rows.some((row) => value(row) !== '-'))
    io.stdout.write(`${tableLines(used, rows, outputWidth(io.stdout)).join('\n')}\n`)
  }
  return 0
}

/** Sets policies from a file, or the values of one host. */
async function setPolicies(config: Config, args: string[], io: Io): Promise<number> {
  if (args.length === 0) {
    if (config.policies === null) throw new AppError('USAGE', ACTIONS)
    const rows = await readPolicyFile(config.policies)
    return withPolicyAdmin(config, io, (admin) => save(admin, rows, io))
  }
  const change = readChange(args)
  // An invalid value is an error before the store is opened. Dependencies between values, such as that of a burst on
  // its rate, cannot be checked yet.
  changePolicy([{ ...EMPTY_POLICY, weight: 1, delayMs: 0, rate: 1, host: change.host }], change)
  return withPolicyAdmin(config, io, async (admin) => save(admin, [changePolicy(await admin.list(), change)], io))
}

async function save(admin: PolicyAdmin, wanted: Policy[], io: Io): Promise<number> {
  await admin.set(wanted)
  const count = wanted.length === 1 ? '1 policy' : `${groupDigits(wanted.length)} policies`
  io.stdout.write(`Set ${count}. Running crawls apply the change at once.\n`)
  return 0
}

async function remove(admin: PolicyAdmin, host: string, io: Io): Promise<number> {
  await admin.remove(host)
  io.stdout.write('Removed.\n')
  return 0
}

async function explain(admin: PolicyAdmin, host: string, config: Config, io: Io): Promise<number> {
  const decided = explainPolicies(await admin.list(), host)
  if (config.json) for (const line of decided) io.stdout.write(jsonLine(line))
  else if (decided.length === 0) io.stdout.write(`No policy applies to ${host}.\n`)
  else {
    const lines = decided.map(({ name, value, policy }) => {
      return `${name.replace('_', ' ')}: ${formatValue(name, value)} (policy ${policy})`
    })
    io.stdout.write(`${lines.join('\n')}\n`)
  }
  return 0
}

function readChange([host, ...fields]: string[]): PolicyChange {
  const entries = fields.map((field): [string, string | null] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(field) ?? []
    if (name === undefined || value === undefined)
      throw new AppError('USAGE', `"${field}" is not a value. Write it as delay=2000.`)
    return [name.trim().replaceAll('-', '_'), value.trim() || null]
  })
  return { host: requireHost(host), values: Object.fromEntries(entries) }
}
