// Prints URLs that a run visited recently: node scripts/crawl-visited-sample.ts <id> [limit]

import { printResult, readArguments, requestApi } from './api.ts'

const [id = '', limit = '15'] = readArguments(1, 'crawl-visited-sample <id> [limit]')
const query = new URLSearchParams({ status: 'VISITED', limit, sort: 'visited_at', order: 'desc' })
await printResult(requestApi(`/crawl-runs/${encodeURIComponent(id)}/urls?${query}`))
