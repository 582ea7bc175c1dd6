import { engineContract } from './engine-contract.ts'

engineContract('opensearch-2')
