import { expect, test } from 'vitest'
import { createOwnLoad } from './own-load.ts'

test('nothing is claimed before it is measured', () => {
  const machine = { usedCores: null as number | null }
  const load = createOwnLoad({
    capacity: { cores: 4, freeCores: 1.23456, roomFor: (model) => (model === 'fast' ? 3 : null) },
    usage: { machine },
    defaultModel: 'fast',
    countProcesses: () => 2,
  })
  expect(load()).toBeNull()
  machine.usedCores = 0
  expect(load()).toEqual({ cores: 4, freeCores: 1.23, room: 3, processes: 2 })
})
