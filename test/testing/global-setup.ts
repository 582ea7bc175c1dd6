// Used with `node --test --test-global-setup`: starts one Postgres server for all test files instead of one each,
// which would take a second or more. Every test creates its own database in it. It stops with the test runner. Bundles
// the program, which many tests start, if its sources have changed.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { testServer } from '../../src/store/testing/test-database.ts'

/** The folder that the launcher uses. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/orbweaver', import.meta.url))
const BUNDLE = fileURLToPath(new URL('../../scripts/bundle.ts', import.meta.url))

export async function globalSetup(): Promise<void> {
  // Every test file is a process that loads the sources anew; without their types and compiled, that takes half the CPU.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE
  execFileSync(process.execPath, [BUNDLE], { stdio: 'inherit' })
  process.env['TEST_DATABASE_URL'] = await testServer()
}
