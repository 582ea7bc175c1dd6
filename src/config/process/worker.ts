// Settings of worker processes: their health port, how they stop, and what they log.

import { availableParallelism } from 'node:os'
import { optional, setting } from '../setting.ts'
import { headerValue, oneOf, text, wholeNumber } from '../setting-kinds.ts'

const DAY_MS = 86_400_000

export const WORKER_PROCESS_SETTINGS = {
  healthHost: setting(text('ADDRESS'), '127.0.0.1', 'Address of the health port.'),
  healthPort: setting(
    wholeNumber(0, 65_535),
    8081,
    'Port for /healthz, /readyz and /metrics; 0: any free port, which is logged.',
  ),
  healthSecret: optional(
    headerValue('SECRET'),
    'Bearer token required for /metrics and /records/ on the health port, and sent to other processes to read their pages; the same for all processes of a store. Prefer the environment variable to the flag.',
  ),
  address: optional(text('URL'), 'Where other processes reach the health port; derived from --health-host if omitted.'),
  grace: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    20_000,
    'How long a stopping worker may finish requests in flight; the rest are requeued.',
  ),
  min: setting(wholeNumber(0, 1000), 1, 'Minimum worker processes of a fleet.'),
  max: setting(
    wholeNumber(1, 1000),
    Math.max(1, availableParallelism()),
    'Maximum worker processes of a fleet.',
    'the number of cores',
  ),
  logFormat: setting(oneOf(['auto', 'text', 'json']), 'auto', 'Log format; auto: text on a terminal, JSON otherwise.'),
  logLevel: setting(oneOf(['debug', 'info', 'warn', 'error']), 'info', 'Lowest level that is logged.'),
} as const
