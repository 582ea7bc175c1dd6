// Creates, lists and revokes API tokens, in the store or, with --server, on a running server.

import type { ClientResponse } from '../../api/client.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTimeOrNull } from '../../lib/iso-time.ts'
import { TOKEN_SCOPES } from '../../ports/access.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import type { Command, Io } from '../io.ts'
import { withTokenClient } from '../token-client.ts'

type Row = ClientResponse<'listTokens'>['items'][number]

const COLUMNS: TableColumn<Row>[] = [
  { title: 'id', align: 'left', value: (row) => row.token_id },
  { title: 'name', align: 'left', value: (row) => row.name, isFlexible: true },
  { title: 'scope', align: 'left', value: (row) => row.scope },
  { title: 'created (UTC)', align: 'left', value: (row) => row.created_at.slice(0, 16).replace('T', ' ') },
  {
    title: 'last used (UTC)',
    align: 'left',
    value: (row) => row.last_used_at?.slice(0, 16).replace('T', ' ') ?? 'never',
  },
  { title: 'expires (UTC)', align: 'left', value: (row) => formatExpiry(row, Date.now()) },
]

export const token: Command = {
  usage: 'create <name> <scope> [--expires 30d] | list | revoke <id>',
  help: 'Create, list and revoke API tokens. The scope is read, crawl or admin.',
  maxArguments: 3,
  settings: ['data', 'store', 'config', 'server', 'token', 'expires', 'json'],
  async run(config, [action, ...args], io) {
    switch (action) {
      case 'create':
        return create(args, config, io)
      case 'list':
        return list(config, io)
      case 'revoke':
        return revoke(args, config, io)
      default:
        throw new AppError('USAGE', 'Choose an action: token create <name> <scope>, token list, or token revoke <id>.')
    }
  },
}

async function create([name, scopeText]: string[], config: Config, io: Io): Promise<number> {
  const scope = TOKEN_SCOPES.find((known) => known === scopeText)
  if (scope === undefined && scopeText !== undefined) {
    throw new AppError('USAGE', `"${scopeText}" is not a scope. Use one of: ${TOKEN_SCOPES.join(', ')}.`)
  }
  if (name === undefined || scope === undefined) {
    throw new AppError('USAGE', `Give the token a name and a scope: token create <name> ${TOKEN_SCOPES.join('|')}.`)
  }
  const expiresAt = isoTimeOrNull(config.expires === null ? null : Date.now() + config.expires)
  const created = await withTokenClient(
    config,
    () => io.openControlSession(config, true),
    (client) => client.createToken({ body: { name, scope, expires_at: expiresAt } }),
  )
  const revokeLine = formatCommand(io.program, `token revoke ${created.token_id}`, config)
  if (config.json) io.stdout.write(jsonLine(created))
  else io.stdout.write(`${created.token}\nCopy it now. It will not be shown again. Revoke it with: ${revokeLine}\n`)
  return 0
}

function formatExpiry({ expires_at: at }: Row, now: number): string {
  if (at === null) return 'never'
  return `${at.slice(0, 16).replace('T', ' ')}${Date.parse(at) <= now ? ' (expired)' : ''}`
}

async function list(config: Config, io: Io): Promise<number> {
  const { items: rows } = await withTokenClient(
    config,
    () => io.openControlSession(config, false),
    (client) => client.listTokens(),
  )
  if (config.json) for (const row of rows) io.stdout.write(jsonLine(row))
  else if (rows.length === 0) {
    const next = formatCommand(io.program, 'token create <name> <scope>', config)
    io.stdout.write(`There are no tokens. Create one with: ${next}\n`)
  } else io.stdout.write(`${tableLines(COLUMNS, rows, outputWidth(io.stdout)).join('\n')}\n`)
  return 0
}

async function revoke([id]: string[], config: Config, io: Io): Promise<number> {
  if (id === undefined) throw new AppError('USAGE', 'Give the id of the token; "token list" shows the ids.')
  await withTokenClient(
    config,
    () => io.openControlSession(config, false),
    (client) => client.revokeToken({ params: { token_id: id } }),
  )
  io.stdout.write('Revoked.\n')
  return 0
}
