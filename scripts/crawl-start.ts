// Starts a run: node scripts/crawl-start.ts https://example.com/

import { ask, print, readArguments } from './api.ts'

const [seedUrl] = readArguments(1, 'crawl-start <seedUrl>')
await print(ask('/crawl-runs', { seedUrl }))
