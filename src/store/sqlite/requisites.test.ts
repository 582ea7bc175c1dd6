import { renderPatternsContract } from '../../ports/contracts/render-patterns.contract.ts'
import { requisiteLimitsContract } from '../../ports/contracts/requisite-limits.contract.ts'
import { requisitesContract } from '../../ports/contracts/requisites.contract.ts'
import { scriptUrlsContract } from '../../ports/contracts/script-urls.contract.ts'
import { makeTestStore } from '../testing/sqlite-test-store.ts'

requisitesContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
requisiteLimitsContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
renderPatternsContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
scriptUrlsContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
