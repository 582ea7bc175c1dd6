// The whole system in one process on the embedded store: for those who want to see it.

import { SCHEMA } from '../../config/schema.ts'
import { API_SETTINGS, INDEX_SETTINGS, WORKER_SETTINGS } from '../../config/setting-groups.ts'
import { AppError } from '../../lib/errors.ts'
import type { Command } from '../io.ts'

export const start: Command = {
  usage: '',
  help: 'Run everything in this process, and say where the web app is.',
  maxArguments: 0,
  settings: [...WORKER_SETTINGS, ...API_SETTINGS, ...INDEX_SETTINGS],
  async run(config, _args, io) {
    if (config.store !== null) {
      throw new AppError('USAGE', `start runs the embedded store; with --store use: ${io.program} serve`)
    }
    // What happens is seen in the web app; only what goes wrong is worth a line here.
    // /healthz and /metrics are on the port of the web app too; a second server shall not fail for want of this one.
    const health = config.healthPort === SCHEMA.healthPort.default ? { healthPort: 0 } : {}
    const quiet = config.logLevel === 'info' ? { logLevel: 'warn' as const } : {}
    await io.serve({ ...config, ...quiet, ...health }, (address) =>
      io.stdout.write(`Orbweaver is at ${address} (Ctrl-C stops it, data in ${config.data})\n`),
    )
    return 0
  },
}
