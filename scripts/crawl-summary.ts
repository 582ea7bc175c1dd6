// The summary of a run: node scripts/crawl-summary.ts <id>

import { ask, print, readArguments } from './api.ts'

const [id = ''] = readArguments(1, 'crawl-summary <id>')
await print(ask(`/crawl-runs/${encodeURIComponent(id)}/summary`))
