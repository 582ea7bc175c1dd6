// Creates, lists and revokes API tokens, in the store or, with --server, on a running server.

import { makeToken } from '../../api/auth/tokens.ts'
import type { Client } from '../../api/client.ts'
import { tokenJson } from '../../api/views/token-json.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTimeOrNull } from '../../lib/iso-time.ts'
import { TOKEN_SCOPES, type TokenScope, type Tokens } from '../../ports/access.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import type { Command, Io } from '../io.ts'
import { callServer, createServerClient } from '../remote-server.ts'

type Row = ReturnType<typeof tokenJson>

interface TokenRequest {
  name: string
  scope: TokenScope
  expiresAt: number | null
}

/** Implemented for the store and for a server. */
interface TokenAdmin {
  create(request: TokenRequest): Promise<{ token: string; token_id: string }>
  list(): Promise<Row[]>
  revoke(id: string): Promise<void>
}

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
  help: 'Create, list and revoke API tokens; the scope is read, crawl or admin.',
  maxArguments: 3,
  settings: ['data', 'store', 'config', 'server', 'token', 'expires', 'json'],
  async run(config, [action, ...args], io) {
    switch (action) {
      case 'create':
        return withTokenAdmin(config, io, true, (admin) => create(admin, args, config, io))
      case 'list':
        return withTokenAdmin(config, io, false, (admin) => list(admin, config, io))
      case 'revoke':
        return withTokenAdmin(config, io, false, (admin) => revoke(admin, args, io))
      default:
        throw new AppError('USAGE', 'Choose an action: token create <name> <scope>, token list, or token revoke <id>.')
    }
  },
}

async function create(admin: TokenAdmin, [name, scopeText]: string[], config: Config, io: Io): Promise<number> {
  const scope = TOKEN_SCOPES.find((known) => known === scopeText)
  if (scope === undefined && scopeText !== undefined) {
    throw new AppError('USAGE', `"${scopeText}" is not a scope. Use one of: ${TOKEN_SCOPES.join(', ')}.`)
  }
  if (name === undefined || scope === undefined) {
    throw new AppError('USAGE', `Give the token a name and a scope: token create <name> ${TOKEN_SCOPES.join('|')}.`)
  }
  const expiresAt = config.expires === null ? null : Date.now() + config.expires
  const created = await admin.create({ name, scope, expiresAt })
  const revokeLine = formatCommand(io.program, `token revoke ${created.token_id}`, config)
  if (config.json) io.stdout.write(jsonLine(created))
  else io.stdout.write(`${created.token}\nCopy it now. It will not be shown again. Revoke it with: ${revokeLine}\n`)
  return 0
}

function formatExpiry({ expires_at: at }: Row, now: number): string {
  if (at === null) return 'never'
  return `${at.slice(0, 16).replace('T', ' ')}${Date.parse(at) <= now ? ' (expired)' : ''}`
}

async function list(admin: TokenAdmin, config: Config, io: Io): Promise<number> {
  const rows = await admin.list()
  if (config.json) for (const row of rows) io.stdout.write(jsonLine(row))
  else if (rows.length === 0) {
    const next = formatCommand(io.program, 'token create <name> <scope>', config)
    io.stdout.write(`There are no tokens. Create one with: ${next}\n`)
  } else io.stdout.write(`${tableLines(COLUMNS, rows, outputWidth(io.stdout)).join('\n')}\n`)
  return 0
}

async function revoke(admin: TokenAdmin, [id]: string[], io: Io): Promise<number> {
  if (id === undefined) throw new AppError('USAGE', 'Give the id of the token; "token list" shows the ids.')
  await admin.revoke(id)
  io.stdout.write('Revoked.\n')
  return 0
}

async function withTokenAdmin(
  config: Config,
  io: Io,
  createStore: boolean,
  run: (admin: TokenAdmin) => Promise<number>,
): Promise<number> {
  const client = createServerClient(config)
  if (client !== null) return callServer(client, () => run(serverTokenAdmin(client)))
  const controlSession = await io.openControlSession(config, createStore)
  try {
    return await run(storeTokenAdmin(controlSession.tokens))
  } finally {
    await controlSession.close()
  }
}

function storeTokenAdmin(tokens: Tokens): TokenAdmin {
  return {
    async create(request) {
      const created = makeToken(request, Date.now())
      await tokens.add(created.row)
      return { token: created.token, token_id: created.row.id }
    },
    list: async () => (await tokens.list()).map(tokenJson),
    async revoke(id) {
      if (await tokens.remove(id)) return
      throw new AppError('TOKEN_NOT_FOUND', `There is no token with the id ${id}.`)
    },
  }
}

function serverTokenAdmin(client: Client): TokenAdmin {
  return {
    create: ({ name, scope, expiresAt }) =>
      client.createToken({ body: { name, scope, expires_at: isoTimeOrNull(expiresAt) } }),
    list: async () => (await client.listTokens()).items,
    revoke: (id) => client.revokeToken({ params: { token_id: id } }),
  }
}
