// For `node --test --test-global-setup`: one Postgres for all test files instead of one for each, which takes a second
// or more to make. Every test has a database of its own there. It ends with the process that runs the tests.

import { testServer } from '../../src/store/testing/test-database.ts'

export async function globalSetup(): Promise<void> {
  process.env['TEST_DATABASE_URL'] = await testServer()
}
