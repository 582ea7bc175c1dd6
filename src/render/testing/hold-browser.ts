// Runs as a separate process: starts a browser, prints its process id and waits to be killed.

import { startBrowser } from '../browser/browser-process.ts'
import { detectContainment } from '../browser/containment.ts'
import { packagedBrowser } from './test-pool.ts'

const { pid } = await startBrowser(await packagedBrowser(), detectContainment())
process.stdout.write(`${pid}\n`)
