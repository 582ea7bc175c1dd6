// The whole system in one process on the embedded store: the quickest way to try it.

import { API_SETTINGS, INDEX_SETTINGS, WORKER_SETTINGS } from '../../config/command-settings.ts'
import { SCHEMA } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { Command } from '../io.ts'
import { startServer } from '../start-server.ts'

export const start: Command = {
  usage: '',
  help: 'Run a server with a web app, everything in one process. Prints the address of the web app.',
  maxArguments: 0,
  localReason: 'it starts a server.',
  settings: [...WORKER_SETTINGS, ...API_SETTINGS, ...INDEX_SETTINGS],
  async run(config, _args, io) {
    if (config.store !== null) {
      throw new AppError('USAGE', `"start" uses the embedded store. With --store, use: ${io.program} serve`)
    }
    // The web app serves /healthz and /metrics too, so a taken health port must not prevent a second server.
    const health = config.healthPort === SCHEMA.healthPort.default ? { healthPort: 0 } : {}
    // The web app shows the progress; only problems are worth a line here.
    const quiet = config.logLevel === 'info' ? { logLevel: 'warn' as const } : {}
    await startServer({ ...config, ...quiet, ...health }, io, (address) =>
      io.stdout.write(`Orbweaver is running at ${address} (data in ${config.data}; press Ctrl-C to stop)\n`),
    )
    return 0
  },
}
