// For `node --test --test-global-setup`: starts one Postgres server for all test files instead of one each, which would
// take a second or more. Every test creates its own database in it. It stops with the test runner.

import { testServer } from '../../src/store/testing/test-database.ts'

export async function globalSetup(): Promise<void> {
  process.env['TEST_DATABASE_URL'] = await testServer()
}
