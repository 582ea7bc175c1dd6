// For `node --test --test-global-setup`: starts one Postgres server for all test files instead of one each, which would
// take a second or more. Every test creates its own database in it. It stops with the test runner.

import { fileURLToPath } from 'node:url'
import { testServer } from '../../src/store/testing/test-database.ts'

/** The one of the launcher. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/orbweaver', import.meta.url))

export async function globalSetup(): Promise<void> {
  // Every test file is a process that loads the sources anew; without their types and compiled, that takes half the CPU.
  process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE
  process.env['TEST_DATABASE_URL'] = await testServer()
}
