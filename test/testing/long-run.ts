/** Set by `npm run test:long`: tests that can look longer do. */
export const isLongRun = process.env['TEST_LONG'] === '1'
