// All commands by name. Each is imported on demand: importing all of them with their dependencies makes startup four
// times slower.

import type { Command } from './io.ts'

export const COMMANDS = {
  start: async () => (await import('./commands/start.ts')).start,
  crawl: async () => (await import('./commands/crawl.ts')).crawl,
  resume: async () => (await import('./commands/resume.ts')).resume,
  crawls: async () => (await import('./commands/crawls.ts')).crawls,
  status: async () => (await import('./commands/status.ts')).status,
  verify: async () => (await import('./commands/verify.ts')).verify,
  export: async () => (await import('./commands/export.ts')).exportUrls,
  open: async () => (await import('./commands/open.ts')).openWebApp,
  delete: async () => (await import('./commands/delete.ts')).deleteCrawl,
  compare: async () => (await import('./commands/compare.ts')).compare,
  page: async () => (await import('./commands/page.ts')).page,
  history: async () => (await import('./commands/history.ts')).history,
  changes: async () => (await import('./commands/changes.ts')).changes,
  archive: async () => (await import('./commands/archive.ts')).archive,
  search: async () => (await import('./commands/search.ts')).search,
  index: async () => (await import('./commands/index-command.ts')).indexCommand,
  audit: async () => (await import('./commands/audit.ts')).audit,
  monitors: async () => (await import('./commands/monitors.ts')).monitors,
  explain: async () => (await import('./commands/explain.ts')).explain,
  politeness: async () => (await import('./commands/politeness.ts')).politeness,
  traps: async () => (await import('./commands/traps.ts')).traps,
  robots: async () => (await import('./commands/robots.ts')).robots,
  render: async () => (await import('./commands/render.ts')).render,
  extract: async () => (await import('./commands/extract.ts')).extract,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  move: async () => (await import('./commands/move.ts')).move,
  pause: async () => (await import('./commands/control.ts')).pause,
  cancel: async () => (await import('./commands/control.ts')).cancel,
  complete: async () => (await import('./commands/control.ts')).complete,
  retry: async () => (await import('./commands/control.ts')).retry,
  worker: async () => (await import('./commands/serve.ts')).worker,
  workers: async () => (await import('./commands/workers.ts')).workers,
  drain: async () => (await import('./commands/control.ts')).drain,
  serve: async () => (await import('./commands/serve.ts')).serve,
  fleet: async () => (await import('./commands/serve.ts')).fleet,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  policies: async () => (await import('./commands/policies.ts')).policies,
  token: async () => (await import('./commands/token.ts')).token,
} satisfies Record<string, () => Promise<Command>>

export type CommandName = keyof typeof COMMANDS

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

/** Commands in the order of the table above. */
export async function loadCommands(): Promise<Record<string, Command>> {
  return Object.fromEntries(
    await Promise.all(COMMAND_NAMES.map(async (name) => [name, await COMMANDS[name]()] as const)),
  )
}
