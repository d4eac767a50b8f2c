/** Prints the nonce of the installation in the home directory that is given, made by this process or another. */
import { ownNonce } from '../../src/guard/nonce.ts'

process.stdout.write(ownNonce(process.argv[2] ?? ''))
