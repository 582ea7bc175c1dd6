// What programs and the web app conclude from the counts of a crawl. Kept apart from the schemas, which the web app
// does not load.

export { failureCounts, hasMostlyFailed, type LeftOutReason } from '../../lib/states.ts'
