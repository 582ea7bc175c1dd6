// Starts a run: node scripts/crawl-start.ts https://example.com/

import { printResult, readArguments, requestApi } from './api.ts'

const [seedUrl] = readArguments(1, 'crawl-start <seedUrl>')
await printResult(requestApi('/crawl-runs', { seedUrl }))
