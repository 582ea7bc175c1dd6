import { engineContract } from './engine-contract.ts'

engineContract('elasticsearch')
