// All commands, in groups as the help shows them. Each is imported on demand: importing all of them with their
// dependencies makes startup four times slower.

import type { Command } from './io.ts'

export const COMMAND_GROUPS = {
  Crawling: {
    crawl: async () => (await import('./commands/crawl.ts')).crawl,
    resume: async () => (await import('./commands/resume.ts')).resume,
    pause: async () => (await import('./commands/control.ts')).pause,
    cancel: async () => (await import('./commands/control.ts')).cancel,
    complete: async () => (await import('./commands/control.ts')).complete,
    retry: async () => (await import('./commands/control.ts')).retry,
    delete: async () => (await import('./commands/delete.ts')).deleteCrawl,
  },
  'Looking at crawls': {
    crawls: async () => (await import('./commands/crawls.ts')).crawls,
    status: async () => (await import('./commands/status.ts')).status,
    explain: async () => (await import('./commands/explain.ts')).explain,
    traps: async () => (await import('./commands/traps.ts')).traps,
    politeness: async () => (await import('./commands/politeness.ts')).politeness,
    audit: async () => (await import('./commands/audit.ts')).audit,
    export: async () => (await import('./commands/export.ts')).exportUrls,
    compare: async () => (await import('./commands/compare.ts')).compare,
    verify: async () => (await import('./commands/verify.ts')).verify,
  },
  'Pages and search': {
    search: async () => (await import('./commands/search.ts')).search,
    index: async () => (await import('./commands/index-command.ts')).indexCommand,
    page: async () => (await import('./commands/page.ts')).page,
    history: async () => (await import('./commands/history.ts')).history,
    changes: async () => (await import('./commands/changes.ts')).changes,
    monitors: async () => (await import('./commands/monitors.ts')).monitors,
    extract: async () => (await import('./commands/extract.ts')).extract,
    archive: async () => (await import('./commands/archive.ts')).archive,
  },
  'Servers and workers': {
    start: async () => (await import('./commands/start.ts')).start,
    open: async () => (await import('./commands/open.ts')).openWebApp,
    serve: async () => (await import('./commands/serve.ts')).serve,
    worker: async () => (await import('./commands/serve.ts')).worker,
    workers: async () => (await import('./commands/workers.ts')).workers,
    drain: async () => (await import('./commands/control.ts')).drain,
    fleet: async () => (await import('./commands/serve.ts')).fleet,
    policies: async () => (await import('./commands/policies.ts')).policies,
    token: async () => (await import('./commands/token.ts')).token,
    mcp: async () => (await import('./commands/mcp.ts')).mcp,
    move: async () => (await import('./commands/move.ts')).move,
  },
  Checks: {
    robots: async () => (await import('./commands/robots.ts')).robots,
    render: async () => (await import('./commands/render.ts')).render,
    doctor: async () => (await import('./commands/doctor.ts')).doctor,
  },
} satisfies Record<string, Record<string, () => Promise<Command>>>

type Groups = typeof COMMAND_GROUPS
export type CommandName = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups]

export const COMMANDS = Object.assign({}, ...Object.values(COMMAND_GROUPS)) as Record<
  CommandName,
  () => Promise<Command>
>

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[]

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name)
}

/** In the order of the groups. */
export async function loadCommands(): Promise<Record<string, Command>> {
  return Object.fromEntries(
    await Promise.all(COMMAND_NAMES.map(async (name) => [name, await COMMANDS[name]()] as const)),
  )
}
