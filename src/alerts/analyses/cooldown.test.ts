import { beforeEach, expect, test } from 'vitest'
import { sceneAt } from '../../../test/builders/alerts.ts'
import { type AlertEvent, type Analysis } from './analysis.ts'
import { withCooldown } from './cooldown.ts'
import { createLastNotification } from './last-notification.ts'

/** Finds what it is given, and goes on between `started` and `ended`. */
function scripted(script: Readonly<Record<number, readonly string[]>>): Analysis {
  let isOn = false
  return {
    update({ takenAtMs }) {
      const names = script[takenAtMs] ?? []
      for (const name of names) isOn = name === 'started' || (isOn && name !== 'ended')
      return names.map((event) => ({ event, data: { at: takenAtMs } }))
    },
    get unfinished() {
      return isOn ? 1 : 0
    },
    end: (reason) => (isOn ? [{ event: 'ended', data: { reason } }] : []),
  }
}

const asked: (readonly [number | null, number])[] = []
beforeEach(() => void asked.splice(0))
const spaced = (analysis: Analysis, cooldownSeconds: number, lastNotification = createLastNotification()) =>
  withCooldown(analysis, cooldownSeconds, {
    lastNotification,
    sceneOf(trackId, takenAtMs) {
      asked.push([trackId, takenAtMs])
      return null
    },
  })

const brief = (events: readonly AlertEvent[]) =>
  events.map(({ event, earlier = [] }) => [...earlier.map((one) => one.event), event].join(' '))

/** What comes out, by the time at which it does. */
function run(analysis: Analysis, untilMs: number): Record<number, string[]> {
  const sent: Record<number, string[]> = {}
  for (let atMs = 0; atMs <= untilMs; atMs += 500) {
    const events = analysis.update(sceneAt(atMs, []))
    if (events.length > 0) sent[atMs] = brief(events)
  }
  return sent
}

test('the first goes at once, what follows within the cooldown together when it is over, and nothing is left out', () => {
  const script = { 1_000: ['started'], 3_000: ['ended'], 6_000: ['started'], 9_000: ['ended'], 30_000: ['started'] }
  expect(run(spaced(scripted(script), 10), 40_000)).toEqual({
    1_000: ['started'],
    11_000: ['ended started ended'],
    30_000: ['started'],
  })
})

test('its picture is asked for when it happens, and not when it is sent', () => {
  run(spaced(scripted({ 1_000: ['started'], 3_000: ['ended'] }), 10), 12_000)
  expect(asked).toEqual([
    [null, 1_000],
    [null, 3_000],
  ])
})

test('without a cooldown each goes at once', () => {
  const script = { 1_000: ['crossed', 'crossed'], 1_500: ['crossed'] }
  expect(run(spaced(scripted(script), 0), 2_000)).toEqual({ 1_000: ['crossed', 'crossed'], 1_500: ['crossed'] })
})

test('each keeps its own time', () => {
  const analysis = spaced(scripted({ 0: ['started'], 500: ['ended'], 1_000: ['started'] }), 2)
  for (const atMs of [0, 500, 1_000, 1_500]) analysis.update(sceneAt(atMs, []))
  expect(analysis.update(sceneAt(2_000, []))).toEqual([
    {
      event: 'started',
      data: { at: 1_000 },
      seenAt: { takenAtMs: 1_000 },
      earlier: [{ event: 'ended', data: { at: 500 }, seenAt: { takenAtMs: 500 } }],
    },
  ])
})

test('every event that waits changes what is unfinished, and the end has all of it', () => {
  const analysis = spaced(scripted({ 0: ['started'], 500: ['ended'], 1_000: ['started'] }), 10)
  const counts = [0, 500, 1_000, 1_500].map((atMs) => {
    analysis.update(sceneAt(atMs, []))
    return analysis.unfinished
  })
  expect(counts).toEqual([1, 2, 5, 5])
  expect(brief(analysis.end('process-ended'))).toEqual(['ended started', 'ended'])
  expect(brief(analysis.end('process-ended'))).toEqual(['ended started', 'ended'])
})

test('a source that is lost keeps nothing waiting', () => {
  const analysis = spaced(scripted({ 0: ['started'], 500: ['ended'] }), 60)
  for (const atMs of [0, 500]) analysis.update(sceneAt(atMs, []))
  expect(brief(analysis.interrupt!())).toEqual(['ended'])
  expect(analysis.unfinished).toBe(0)
})

test('what a lost source released is a notification like others: the next comes a cooldown later', () => {
  const analysis = spaced(scripted({ 0: ['started'], 9_500: ['ended'], 12_000: ['started'] }), 10)
  for (const atMs of [0, 9_500]) analysis.update(sceneAt(atMs, []))
  expect(brief(analysis.interrupt!())).toEqual(['ended'])
  const sent = [12_000, 19_000, 19_500].map((atMs) => brief(analysis.update(sceneAt(atMs, []))))
  expect(sent).toEqual([[], [], ['started']])
})

test('a flood goes before its time rather than that it is held without a bound', () => {
  const script = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [index * 500, ['crossed']] as const))
  const sent = Object.values(run(spaced(scripted(script), 86_400), 150_000)).flat()
  expect(sent.map((events) => events.split(' ').length)).toEqual([1, 100, 100])
})

test('one that is always a little later waits for twice the cooldown at the most', () => {
  const last = createLastNotification()
  const often = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [index * 500, ['crossed']]))
  const [first, later] = [1, 2].map(() => spaced(scripted(often), 10, last))
  const sent: number[] = []
  for (let atMs = 0; atMs < 40_000; atMs += 500) {
    first!.update(sceneAt(atMs, []))
    if (later!.update(sceneAt(atMs, [])).length > 0) sent.push(atMs)
  }
  expect(sent).toEqual([20_000])
})

test('two processes on one source share the cooldown of an alert', () => {
  const last = createLastNotification()
  const [one, other] = [
    spaced(scripted({ 0: ['started'], 11_000: ['ended'] }), 10, last),
    spaced(scripted({ 500: ['started'] }), 10, last),
  ]
  const sent: string[] = []
  for (let atMs = 0; atMs <= 21_000; atMs += 500)
    for (const [name, analysis] of Object.entries({ one, other }))
      sent.push(...brief(analysis.update(sceneAt(atMs, []))).map((events) => `${atMs} ${name} ${events}`))
  expect(sent).toEqual(['0 one started', '10000 other started', '20000 one ended'])
})
