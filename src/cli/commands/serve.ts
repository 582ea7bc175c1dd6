// Commands that stay: a worker, a process with the roles it is told, a fleet of workers on this machine.

import { API_SETTINGS, FLEET_SETTINGS, INDEX_SETTINGS, WORKER_SETTINGS } from '../../config/setting-groups.ts'
import { AppError } from '../../lib/errors.ts'
import type { Command } from '../io.ts'

export const worker: Command = {
  usage: '',
  help: 'Work on every running crawl of the store until told to stop.',
  maxArguments: 0,
  settings: WORKER_SETTINGS,
  async run(config, _args, io) {
    await io.serve({ ...config, roles: ['worker', 'maintenance'] })
    return 0
  },
}

export const serve: Command = {
  usage: '',
  help: 'Run the roles that --roles names until told to stop.',
  maxArguments: 0,
  settings: [...WORKER_SETTINGS, ...API_SETTINGS, ...INDEX_SETTINGS, 'roles'],
  async run(config, _args, io) {
    await io.serve(config, (address) => io.stdout.write(`Orbweaver is at ${address}\n`))
    return 0
  },
}

export const fleet: Command = {
  usage: '',
  help: 'Keep as many worker processes on this machine as the work asks for, between --min and --max.',
  maxArguments: 0,
  settings: [...FLEET_SETTINGS, 'config', 'min', 'max'],
  async run(config, _args, io) {
    if (config.store === null) {
      throw new AppError('USAGE', 'A fleet needs a store that processes can share: name a Postgres with --store.')
    }
    if (config.min > config.max) throw new AppError('BAD_CONFIG', '--min is more than --max.')
    await io.runFleet(config)
    return 0
  },
}
