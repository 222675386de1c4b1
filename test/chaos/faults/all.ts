import { type Fault } from '../fault.ts'
import { childFaults } from './children.ts'
import { clockFaults } from './clock.ts'
import { databaseFaults } from './database.ts'
import { diskFaults } from './disk.ts'
import { networkFaults } from './network.ts'
import { overloadFaults } from './overload.ts'
import { postgresFaults } from './postgres.ts'
import { receiverFaults } from './receivers.ts'
import { serviceFaults } from './service.ts'
import { sourceFaults } from './sources.ts'

export const faults: readonly Fault[] = [
  ...childFaults,
  ...sourceFaults,
  ...receiverFaults,
  ...networkFaults,
  ...databaseFaults,
  ...diskFaults,
  ...clockFaults,
  ...overloadFaults,
  ...serviceFaults,
  ...postgresFaults,
]
