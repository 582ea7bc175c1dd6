// A crawl that is made or let go here and worked on elsewhere.

import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { Crawl } from '../ports/crawls.ts'
import { jsonLine } from './format/jsonl.ts'
import { commandLine } from './hint.ts'
import type { Control, Io } from './io.ts'

export async function leaveToWorkers(
  config: Config,
  io: Io,
  begin: (control: Control) => Promise<Crawl>,
): Promise<number> {
  if (config.store === null) {
    throw new AppError('USAGE', '--detach needs a store that workers can share: name a Postgres with --store.')
  }
  const control = await io.openControl(config, true)
  try {
    const crawl = await begin(control)
    if (config.json) io.stdout.write(jsonLine({ type: 'crawl', crawl_id: crawl.id, root_url: crawl.rootUrl }))
    else
      io.stdout.write(`Crawl ${crawl.id}. Look at it with: ${commandLine(`status ${crawl.id.slice(0, 8)}`, config)}\n`)
    return 0
  } finally {
    await control.close()
  }
}
