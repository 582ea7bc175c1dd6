// Long-running commands: a worker, a server with any set of roles, and a fleet of local workers.

import { API_SETTINGS, FLEET_SETTINGS, INDEX_SETTINGS, WORKER_SETTINGS } from '../../config/command-settings.ts'
import { AppError } from '../../lib/errors.ts'
import type { Command } from '../io.ts'
import { startServer } from '../start-server.ts'

export const worker: Command = {
  usage: '',
  help: 'Run a worker that crawls for every running crawl of the store.',
  maxArguments: 0,
  localReason: 'it starts a worker on this machine.',
  settings: WORKER_SETTINGS,
  async run(config, _args, io) {
    await io.serve({ ...config, roles: ['worker', 'maintenance'] })
    return 0
  },
}

export const serve: Command = {
  usage: '',
  help: 'Run a server with the roles named by --roles.',
  maxArguments: 0,
  localReason: 'it starts a server.',
  settings: [...WORKER_SETTINGS, ...API_SETTINGS, ...INDEX_SETTINGS, 'roles'],
  async run(config, _args, io) {
    await startServer(config, io, (address) => io.stdout.write(`Orbweaver is running at ${address}\n`))
    return 0
  },
}

export const fleet: Command = {
  usage: '',
  help: 'Run as many worker processes as the load requires. They run on this machine, at least --min and at most --max.',
  maxArguments: 0,
  localReason: 'it starts workers on this machine.',
  settings: [...FLEET_SETTINGS, 'config', 'min', 'max'],
  async run(config, _args, io) {
    if (config.store === null) {
      throw new AppError(
        'USAGE',
        'A fleet needs a store that processes can share: give a Postgres database with --store.',
      )
    }
    if (config.min > config.max) throw new AppError('BAD_CONFIG', '--min must not be greater than --max.')
    await io.runFleet(config)
    return 0
  },
}
