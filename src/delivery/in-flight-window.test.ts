import { beforeEach, expect, test } from 'vitest'
import { createInFlightWindow, type InFlightWindow } from './in-flight-window.ts'

let maxInFlight: number
let entered: string[]
let inFlight: InFlightWindow

beforeEach(() => {
  ;[maxInFlight, entered] = [2, []]
  inFlight = createInFlightWindow(() => maxInFlight)
})

const enter = (name: string) => void inFlight.enter().then(() => entered.push(name))
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('so many enter at once, the others in their order', async () => {
  for (const name of ['a', 'b', 'c', 'd']) enter(name)
  await settle()
  expect(entered).toEqual(['a', 'b'])
  inFlight.leave()
  await settle()
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('a newcomer does not take the place of one that has waited', async () => {
  for (const name of ['a', 'b', 'c']) enter(name)
  inFlight.leave()
  enter('newcomer')
  await settle()
  expect(entered).toEqual(['a', 'b', 'c'])
})

test('a smaller bound holds for those that come, a larger one for all that wait', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) enter(name)
  maxInFlight = 1
  inFlight.leave()
  await settle()
  expect(entered).toEqual(['a', 'b'])
  maxInFlight = 3
  inFlight.leave()
  await settle()
  expect(entered).toEqual(['a', 'b', 'c', 'd', 'e'])
})
