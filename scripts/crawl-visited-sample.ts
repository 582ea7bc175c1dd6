// Urls that a run visited lately: node scripts/crawl-visited-sample.ts <id> [limit]

import { ask, print, readArguments } from './api.ts'

const [id = '', limit = '15'] = readArguments(1, 'crawl-visited-sample <id> [limit]')
const query = new URLSearchParams({ status: 'VISITED', limit, sort: 'visited_at', order: 'desc' })
await print(ask(`/crawl-runs/${encodeURIComponent(id)}/urls?${query}`))
