import { memoryStore } from '../../src/store/memory-store.ts'
import { storeContract } from '../contract/store.ts'

storeContract('in-memory', async () => memoryStore())
