import { expect, test } from 'vitest'
import { createUnknownHostLog } from './unknown-host-log.ts'

function rig() {
  const logged: string[] = []
  let nowMs = 0
  const log = { warn: (fields: object) => void logged.push((fields as { host: string }).host) }
  return { logged, note: createUnknownHostLog(log, () => nowMs), passHour: () => void (nowMs += 3_600_000) }
}

test('each name is logged once', () => {
  const { logged, note, passHour } = rig()
  for (const name of ['aerie', 'cam.lan', 'aerie']) note(name)
  passHour()
  note('aerie')
  expect(logged).toEqual(['aerie', 'cam.lan'])
})

test('a flood of names is twenty lines an hour, and a thousand in all', () => {
  const { logged, note, passHour } = rig()
  const flood = (hour: number) => Array.from({ length: 100 }, (_, i) => note(`x${i}.${hour}.example`))
  flood(0)
  expect(logged).toHaveLength(20)
  passHour()
  note('aerie')
  expect(logged.at(-1)).toBe('aerie')
  for (let hour = 1; hour < 100; hour++) {
    flood(hour)
    passHour()
  }
  expect(logged).toHaveLength(1_000)
})

test('a name of any length takes little room', () => {
  const { logged, note } = rig()
  note('x'.repeat(16_000))
  expect(logged[0]!.length).toBeLessThan(300)
})
