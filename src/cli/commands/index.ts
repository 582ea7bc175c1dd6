// The search index: how far it is, filled, made anew, checked.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { LeftOut } from '../../search/indexer/source.ts'
import { commandLine } from '../hint.ts'
import type { Command, IndexWork, Io } from '../io.ts'
import { bytes, duration, grouped, plural, rate } from '../live/units.ts'
import { notIndexed } from '../not-indexed.ts'
import { withReader } from '../with-reader.ts'

const ACTIONS = ['status', 'run', 'rebuild', 'verify'] as const
const TELL_MS = 1000
const LEFT_OUT_WORDS: Record<string, string> = {
  not_kept: 'not kept',
  status: 'errors or redirects',
  noindex: 'that ask to be left out',
  no_text: 'without text',
  gone: 'dropped meanwhile',
  unreadable: 'that cannot be read back',
} satisfies Record<LeftOut, string>

export const index: Command = {
  usage: '<status|run|rebuild|verify>',
  help: 'Show how far the search index is, fill it, make it anew, or check it.',
  maxArguments: 1,
  settings: [
    ...(['data', 'store', 'config', 'healthSecret', 'lease', 'json', 'quiet', 'indexEntities'] as const),
    ...(['logFormat', 'logLevel'] as const),
  ],
  async run(config, [action = 'status'], io) {
    switch (action) {
      case 'status':
        return status(config, io)
      case 'run':
        return fill(config, io, false)
      case 'rebuild':
        return fill(config, io, true)
      case 'verify':
        return verify(config, io)
      default:
        throw new AppError('USAGE', `There is no index ${action}, only ${ACTIONS.join(', ')}.`)
    }
  },
}

async function status(config: Config, io: Io): Promise<number> {
  return withReader(config, io, async ({ pages }) => {
    const search = await io.openSearch(config, pages)
    if (search === null) {
      const waiting = await pages.newestId()
      if (config.json) io.stdout.write(`${JSON.stringify({ documents: 0, waiting })}\n`)
      else {
        const next = commandLine(io.program, 'index run', config)
        io.stdout.write(`Nothing is indexed yet; ${plural(waiting, 'page')} wait. Run: ${next}\n`)
      }
      return 0
    }
    try {
      const { documents, waiting, lagMs, bytes: size, pagesPerSecond, byLang } = await search.index.status()
      if (config.json) {
        const record = {
          documents,
          waiting,
          lag_ms: lagMs,
          bytes: size,
          pages_per_second: pagesPerSecond,
          by_lang: byLang,
        }
        io.stdout.write(`${JSON.stringify(record)}\n`)
        return 0
      }
      const languages = byLang.slice(0, 8).map(({ key, count }) => `${key} ${grouped(count)}`)
      const lines = [
        `documents   ${grouped(documents)}`,
        `waiting     ${grouped(waiting)}${waiting > 0 ? `, the first for ${duration(lagMs)}` : ''}`,
        `size        ${bytes(size)}${documents > 0 ? `, ${bytes(size / documents)} a page` : ''}`,
        ...(pagesPerSecond > 0 ? [`pace        ${rate(pagesPerSecond)} pages/s`] : []),
        ...(languages.length > 0 ? [`languages   ${languages.join(', ')}`] : []),
      ]
      io.stdout.write(`${lines.join('\n')}\n`)
      return 0
    } finally {
      await search.close()
    }
  })
}

async function fill(config: Config, io: Io, isAnew: boolean): Promise<number> {
  const work = await io.openIndexWork(config)
  const forget = io.onInterrupt(() => work.stop())
  const startedAt = performance.now()
  try {
    if (isAnew) await work.clear()
    const done = work.catchUp()
    if (!config.quiet && !config.json) await tell(work, io, done)
    await done
  } finally {
    forget()
    await work.close()
  }
  const { indexed, again, leftOut } = work.counts()
  const tookMs = performance.now() - startedAt
  if (config.json) {
    const record = { indexed, again, left_out: leftOut, took_ms: Math.round(tookMs) }
    io.stdout.write(`${JSON.stringify(record)}\n`)
  } else if (!config.quiet) {
    const more = again === 0 ? '' : `, ${grouped(again)} once more for what links to them say`
    io.stdout.write(`Indexed ${plural(indexed, 'page')} in ${duration(tookMs)}${more}${reasons(leftOut)}.\n`)
  }
  return 0
}

/** A line a second, for people who wait. */
async function tell(work: IndexWork, io: Io, done: Promise<void>): Promise<void> {
  const isDone = done.then(
    () => true,
    () => true,
  )
  const later = () => sleep(TELL_MS, false, { ref: false })
  while (!(await Promise.race([isDone, later()]))) {
    const { waiting } = await work.lag()
    io.stdout.write(`${grouped(work.counts().indexed)} indexed, ${grouped(waiting)} wait\n`)
  }
}

function reasons(leftOut: Record<string, number>): string {
  const list = Object.entries(leftOut).map(([reason, count]) => `${grouped(count)} ${LEFT_OUT_WORDS[reason] ?? reason}`)
  return list.length === 0 ? '' : `; left out: ${list.join(', ')}`
}

async function verify(config: Config, io: Io): Promise<number> {
  const { verifyIndex } = await import('../../search/indexer/verify.ts')
  return withReader(config, io, async (reader) => {
    const search = await io.openSearch(config, reader.pages)
    if (search === null) throw notIndexed(config, io)
    try {
      const { documents, leftOut, problems } = await verifyIndex({
        pages: reader.pages,
        index: search.index,
        reading: reader,
      })
      if (config.json) io.stdout.write(`${JSON.stringify({ documents, left_out: leftOut, problems })}\n`)
      else if (problems.length > 0) io.stdout.write(`${problems.join('\n')}\n`)
      else io.stdout.write(`The index has all ${plural(documents, 'page')} it should; ${grouped(leftOut)} stay out.\n`)
      return problems.length === 0 ? 0 : 1
    } finally {
      await search.close()
    }
  })
}
