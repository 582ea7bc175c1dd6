// Time of Postgres by statement while two workers crawl 200 hosts, with and without the archive. The times are those
// of pg_stat_statements, so they include waiting for locks and, on a busy machine, for a core.

import { type BenchSite, countPages, MANY_HOSTS } from '../../test/sites/bench-site.ts'
import { formatFixed, printTable } from '../../test/testing/table.ts'
import { type ClusterBench, crawlAll, startWorkers, warmUp } from '../harness/bench-cluster.ts'
import { startBenchServer } from '../harness/bench-server.ts'
import { NO_ARCHIVE, SPEED_FLAGS } from '../harness/orbweaver.ts'

const WORKERS = 2
const SHOWN = 20
const TEXT_LENGTH = 90

const STATEMENTS = `select query, calls, rows, total_exec_time + total_plan_time as ms from pg_stat_statements
  where dbid = (select oid from pg_database where datname = current_database()) order by ms desc`

export async function printStatementCosts(clusterBench: ClusterBench): Promise<void> {
  for (const isArchived of [false, true]) await measureStatements(clusterBench, isArchived)
}

async function measureStatements(clusterBench: ClusterBench, isArchived: boolean): Promise<void> {
  const { postgres, workspace, isQuick } = clusterBench
  const site: BenchSite = isQuick ? { ...MANY_HOSTS, hosts: 20 } : MANY_HOSTS
  const pages = countPages(site)
  const store = await postgres.createDatabase()
  await postgres.query('create extension pg_stat_statements')
  const server = await startBenchServer(site)
  const workers = await startWorkers(store, WORKERS, workspace)
  try {
    await warmUp(clusterBench, store)
    await postgres.query('select pg_stat_statements_reset()')
    const cpuMs = postgres.cpuMs() ?? Number.NaN
    await crawlAll(clusterBench, store, server, isArchived ? SPEED_FLAGS : [...SPEED_FLAGS, ...NO_ARCHIVE])
    const cpuPerPage = ((postgres.cpuMs() ?? Number.NaN) - cpuMs) / pages
    const statements = await postgres.query(STATEMENTS)
    const totalMs = statements.reduce((sum, { ms }) => sum + Number(ms), 0)
    const rows = statements
      .slice(0, SHOWN)
      .map(({ query, calls, rows, ms }) => [
        String(query).replace(/\s+/g, ' ').slice(0, TEXT_LENGTH),
        formatFixed(Number(calls) / pages, 4),
        formatFixed(Number(rows) / pages, 2),
        formatFixed((1000 * Number(ms)) / pages, 1),
      ])
    const title = `${site.hosts} hosts, ${WORKERS} workers, archive ${isArchived ? 'on' : 'off'}: per page`
    printTable(title, ['statement', 'calls', 'rows', 'microseconds'], rows)
    const microseconds = formatFixed((1000 * totalMs) / pages, 1)
    console.log(`All ${statements.length} statements: ${microseconds} microseconds per page`)
    console.log(`CPU of Postgres: ${formatFixed(cpuPerPage, 3)} ms per page, statistics included`)
  } finally {
    await workers.stop()
    await server.stop()
  }
}
