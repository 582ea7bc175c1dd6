import { renderPatternsContract } from '../../ports/contracts/render-patterns.contract.ts'
import { requisiteLimitsContract } from '../../ports/contracts/requisite-limits.contract.ts'
import { requisitesContract } from '../../ports/contracts/requisites.contract.ts'
import { scriptUrlsContract } from '../../ports/contracts/script-urls.contract.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

requisitesContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
requisiteLimitsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
renderPatternsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
scriptUrlsContract('postgres', () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
