// Tokens for the API: made, listed, revoked. Works on the store, or on a running server with --server.

import { makeToken } from '../../api/auth/tokens.ts'
import type { Client } from '../../api/client.ts'
import { isoTimeOrNull } from '../../api/views/progress-view.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { TOKEN_SCOPES, type TokenScope, type Tokens } from '../../ports/access.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import type { Command, Io } from '../io.ts'
import { callServer, createServerClient } from '../remote-server.ts'

interface Row {
  token_id: string
  name: string
  scope: TokenScope
  created_at: string
  last_used_at: string | null
  expires_at: string | null
}

interface TokenRequest {
  name: string
  scope: TokenScope
  expiresAt: number | null
}

/** The same over the store and over a server. */
interface TokenAdmin {
  create(wanted: TokenRequest): Promise<{ token: string; token_id: string }>
  list(): Promise<Row[]>
  revoke(id: string): Promise<void>
}

const COLUMNS: TableColumn<Row>[] = [
  { title: 'id', align: 'left', value: (row) => row.token_id },
  { title: 'name', align: 'left', value: (row) => row.name, isFlexible: true },
  { title: 'scope', align: 'left', value: (row) => row.scope },
  { title: 'made (UTC)', align: 'left', value: (row) => row.created_at.slice(0, 16).replace('T', ' ') },
  { title: 'last used', align: 'left', value: (row) => row.last_used_at?.slice(0, 16).replace('T', ' ') ?? 'never' },
  { title: 'expires (UTC)', align: 'left', value: (row) => formatExpiry(row, Date.now()) },
]

export const token: Command = {
  usage: 'create <name> <scope> [--expires 30d] | list | revoke <id>',
  help: 'Make, list and revoke tokens for the API; a scope is read, crawl or admin.',
  maxArguments: 3,
  settings: ['data', 'store', 'config', 'server', 'token', 'expires', 'json'],
  async run(config, [action, ...args], io) {
    switch (action) {
      case 'create':
        return withTokenAdmin(config, io, true, (desk) => create(desk, args, config, io))
      case 'list':
        return withTokenAdmin(config, io, false, (desk) => list(desk, config, io))
      case 'revoke':
        return withTokenAdmin(config, io, false, (desk) => revoke(desk, args, io))
      default:
        throw new AppError('USAGE', 'Say what to do: token create <name> <scope>, token list, or token revoke <id>.')
    }
  },
}

async function create(desk: TokenAdmin, [name, word]: string[], config: Config, io: Io): Promise<number> {
  const scope = TOKEN_SCOPES.find((one) => one === word)
  if (name === undefined || scope === undefined) {
    throw new AppError('USAGE', `Name the token and its scope: token create <name> ${TOKEN_SCOPES.join('|')}.`)
  }
  const expiresAt = config.expires === null ? null : Date.now() + config.expires
  const made = await desk.create({ name, scope, expiresAt })
  const revokeLine = formatCommand(io.program, `token revoke ${made.token_id}`, config)
  if (config.json) io.stdout.write(jsonLine(made))
  else io.stdout.write(`${made.token}\nIt is told only this once. Revoke it with: ${revokeLine}\n`)
  return 0
}

function formatExpiry({ expires_at: at }: Row, now: number): string {
  if (at === null) return 'never'
  return `${at.slice(0, 16).replace('T', ' ')}${Date.parse(at) <= now ? ' (expired)' : ''}`
}

async function list(desk: TokenAdmin, config: Config, io: Io): Promise<number> {
  const rows = await desk.list()
  if (config.json) for (const row of rows) io.stdout.write(jsonLine(row))
  else if (rows.length === 0) {
    const next = formatCommand(io.program, 'token create <name> <scope>', config)
    io.stdout.write(`There are no tokens. Make one with: ${next}\n`)
  } else io.stdout.write(`${tableLines(COLUMNS, rows, outputWidth(io.stdout)).join('\n')}\n`)
  return 0
}

async function revoke(desk: TokenAdmin, [id]: string[], io: Io): Promise<number> {
  if (id === undefined) throw new AppError('USAGE', 'Name the token by its id; token list shows them.')
  await desk.revoke(id)
  io.stdout.write('Revoked.\n')
  return 0
}

async function withTokenAdmin(
  config: Config,
  io: Io,
  mayMakeStore: boolean,
  work: (desk: TokenAdmin) => Promise<number>,
): Promise<number> {
  const client = createServerClient(config)
  if (client !== null) return callServer(client, () => work(serverTokenAdmin(client)))
  const controlSession = await io.openControlSession(config, mayMakeStore)
  try {
    return await work(storeTokenAdmin(controlSession.tokens))
  } finally {
    await controlSession.close()
  }
}

function storeTokenAdmin(tokens: Tokens): TokenAdmin {
  return {
    async create(wanted) {
      const made = makeToken(wanted, Date.now())
      await tokens.add(made.row)
      return { token: made.token, token_id: made.row.id }
    },
    async list() {
      const rows = await tokens.list()
      return rows.map(({ id, name, scope, createdAt, lastUsedAt, expiresAt }) => ({
        token_id: id,
        name,
        scope,
        created_at: new Date(createdAt).toISOString(),
        last_used_at: isoTimeOrNull(lastUsedAt),
        expires_at: isoTimeOrNull(expiresAt),
      }))
    },
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
