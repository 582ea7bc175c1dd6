/** Set by `npm run test:long`: tests with a variable size run longer. */
export const isLongRun = process.env['TEST_LONG'] === '1'
