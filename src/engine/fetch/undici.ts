// Of undici only what is used: 21 modules, where its index loads 109, with fetch, caches, mocks and WebSocket, in about
// one and a half times the time (127 against 93 ms, medians of five on a busy machine, 2026-11). The index also hangs
// `request` and the like on every pool; here a pool has `dispatch`.

import { createRequire } from 'node:module'
import type { buildConnector as BuildConnector, Pool as PoolClass } from 'undici'

const require = createRequire(import.meta.url)

export const Pool = require('undici/lib/dispatcher/pool.js') as typeof PoolClass
export const buildConnector = require('undici/lib/core/connect.js') as typeof BuildConnector
