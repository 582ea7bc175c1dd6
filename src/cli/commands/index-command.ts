// The index command: status, run, rebuild and verify of the search index.

import { setTimeout as sleep } from 'node:timers/promises'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import type { ExclusionReason } from '../../search/indexer/page-source.ts'
import { formatCommand } from '../format/format-command.ts'
import { openProgressLine } from '../format/progress-line.ts'
import { formatBytes, formatDuration, formatRate, groupDigits, pluralize } from '../format/units.ts'
import type { Command, IndexSession, Io } from '../io.ts'
import { notIndexedError } from '../not-indexed-error.ts'
import { openIndexer, openRebuilder, waitForServerIndex } from '../open-indexer.ts'
import { withReadClient } from '../read-client/read-client.ts'
import { withReadSession } from '../with-read-session.ts'

const ACTIONS = ['status', 'run', 'rebuild', 'verify'] as const
const PROGRESS_INTERVAL_MS = 1000
const SKIP_LABELS: Record<string, string> = {
  not_kept: 'not archived',
  status: 'with an error or redirect',
  requisite: 'parts of pages',
  noindex: 'with noindex',
  no_text: 'without text',
  gone: 'deleted meanwhile',
  unreadable: 'unreadable',
} satisfies Record<ExclusionReason, string>

export const indexCommand: Command = {
  usage: '<status|run|rebuild|verify>',
  help: 'Show, update, rebuild or verify the search index.',
  maxArguments: 1,
  settings: [
    ...STORE_OR_SERVER,
    'search',
    'archiveStore',
    'healthSecret',
    'lease',
    'json',
    'quiet',
    'indexEntities',
    'logFormat',
    'logLevel',
  ],
  async run(config, [action = 'status'], io) {
    if (config.server !== null && (action === 'rebuild' || action === 'verify')) {
      throw new AppError(
        'USAGE',
        `"index ${action}" does not work with --server: it needs the files of the index. Run it on the machine that has them.`,
      )
    }
    switch (action) {
      case 'status':
        return status(config, io)
      case 'run':
        return runIndexing(config, io, false)
      case 'rebuild':
        return runIndexing(config, io, true)
      case 'verify':
        return verify(config, io)
      default:
        throw new AppError('USAGE', `There is no action "${action}". Use one of: ${ACTIONS.join(', ')}.`)
    }
  },
}

async function status(config: Config, io: Io): Promise<number> {
  const { is_on, ...index } = await withReadClient(config, io, (client) => client.getIndex({}))
  const { documents, waiting, lag_ms: lagMs, bytes, pages_per_second: rate, by_lang: byLang } = index
  if (config.json) io.stdout.write(`${JSON.stringify(is_on ? index : { documents, waiting })}\n`)
  else if (!is_on) {
    const next = formatCommand(io.program, 'index run', config)
    io.stdout.write(`Nothing is indexed yet; ${pluralize(waiting, 'page')} waiting. Run: ${next}\n`)
  } else {
    const languages = byLang.slice(0, 8).map(({ key, count }) => `${key} ${groupDigits(count)}`)
    const lines = [
      `documents   ${groupDigits(documents)}`,
      `waiting     ${groupDigits(waiting)}${waiting > 0 ? `, the oldest for ${formatDuration(lagMs)}` : ''}`,
      `size        ${formatBytes(bytes)}${documents > 0 ? `, ${formatBytes(bytes / documents)} per page` : ''}`,
      ...(rate > 0 ? [`rate        ${formatRate(rate)} pages/s`] : []),
      ...(languages.length > 0 ? [`languages   ${languages.join(', ')}`] : []),
    ]
    io.stdout.write(`${lines.join('\n')}\n`)
  }
  return 0
}

async function runIndexing(config: Config, io: Io, isRebuild: boolean): Promise<number> {
  const open = isRebuild ? openRebuilder : openIndexer
  const session = config.server === null ? await open(config, io) : null
  if (session === null) return waitForIndexer(config, io)
  const removeHandler = io.onInterrupt(() => session.stop())
  const startedAt = performance.now()
  try {
    if (isRebuild) await session.startRebuild()
    const done = session.catchUp()
    if (!config.quiet && !config.json) await showProgress(session, io, done)
    await done
  } finally {
    removeHandler()
    await session.close()
  }
  const { indexed, again, leftOut } = session.counts()
  const tookMs = performance.now() - startedAt
  if (config.json) {
    const record = { indexed, again, left_out: leftOut, took_ms: Math.round(tookMs) }
    io.stdout.write(`${JSON.stringify(record)}\n`)
  } else if (!config.quiet) {
    const more = again === 0 ? '' : `, ${groupDigits(again)} again with new anchor text`
    io.stdout.write(
      `Indexed ${pluralize(indexed, 'page')} in ${formatDuration(tookMs)}${more}${skippedText(leftOut)}.\n`,
    )
  }
  return 0
}

async function waitForIndexer(config: Config, io: Io): Promise<number> {
  let isStopped = false
  const removeHandler = io.onInterrupt(() => {
    isStopped = true
  })
  const isSilent = config.quiet || config.json
  const line = openProgressLine(io)
  try {
    const newer = await waitForServerIndex(config, io, {
      isStopped: () => isStopped,
      show: (waiting) => isSilent || line.show(`${groupDigits(waiting)} waiting`),
    })
    line.clear()
    if (newer === null) return EXIT.interrupted
    const rest = newer === 0 ? '' : ` that was waiting; newer ones: ${groupDigits(newer)}`
    if (!isSilent) io.stdout.write(`The server has indexed every page${rest}.\n`)
    return EXIT.completed
  } finally {
    line.clear()
    removeHandler()
  }
}

async function showProgress(session: IndexSession, io: Io, done: Promise<void>): Promise<void> {
  const isDone = done.then(
    () => true,
    () => true,
  )
  const later = () => sleep(PROGRESS_INTERVAL_MS, false, { ref: false })
  const line = openProgressLine(io)
  while (!(await Promise.race([isDone, later()]))) {
    const { waiting } = await session.lag()
    line.show(`${groupDigits(session.counts().indexed)} indexed, ${groupDigits(waiting)} waiting`)
  }
  line.clear()
}

function skippedText(leftOut: Record<string, number>): string {
  const list = Object.entries(leftOut).map(
    ([reason, count]) => `${groupDigits(count)} ${SKIP_LABELS[reason] ?? reason}`,
  )
  return list.length === 0 ? '' : `; skipped: ${list.join(', ')}`
}

async function verify(config: Config, io: Io): Promise<number> {
  const { verifyIndex } = await import('../../search/indexer/verify-index.ts')
  const { documents, excluded, problems } = await withReadSession(config, io, async (session) => {
    const search = await io.openSearchIndex(config, session.pages)
    if (search === null) throw notIndexedError(config, io)
    const { index, close } = search
    return verifyIndex({ pages: session.pages, index, reading: session }).finally(close)
  })
  if (config.json) io.stdout.write(`${JSON.stringify({ documents, left_out: excluded, problems })}\n`)
  else if (problems.length > 0) io.stdout.write(`${problems.join('\n')}\n`)
  else
    io.stdout.write(
      `The index is complete: ${pluralize(documents, 'page')} indexed, ${groupDigits(excluded)} skipped.\n`,
    )
  return problems.length === 0 ? 0 : 1
}
