import { revisitOutcomesContract } from '../../ports/contracts/revisit-outcomes.contract.ts'
import { revisitSettingsContract } from '../../ports/contracts/revisit-settings.contract.ts'
import { revisitSignalsContract } from '../../ports/contracts/revisit-signals.contract.ts'
import { revisitedContentContract } from '../../ports/contracts/revisited-content.contract.ts'
import { revisitsContract } from '../../ports/contracts/revisits.contract.ts'
import { makeTestStore } from '../testing/sqlite-test-store.ts'

revisitsContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitedContentContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitSignalsContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitSettingsContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
revisitOutcomesContract('sqlite', async () => makeTestStore({ leaseMs: 30_000, random: () => 0.5 }))
