/** Every host's log against every other host: none may be taken for another's, and each for its own. */
import { hostLogs } from '../contract/host-logs.ts'
import { wrongHostContract } from '../contract/wrong-host.ts'

for (const fixture of await hostLogs()) wrongHostContract(fixture)
