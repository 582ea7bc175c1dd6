// Prints the summary of a run: node scripts/crawl-summary.ts <id>

import { printResult, readArguments, requestApi } from './api.ts'

const [id = ''] = readArguments(1, 'crawl-summary <id>')
await printResult(requestApi(`/crawl-runs/${encodeURIComponent(id)}/summary`))
