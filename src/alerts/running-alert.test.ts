import { beforeEach, describe, expect, test } from 'vitest'
import { anAlert, sceneAt } from '../../test/builders/alerts.ts'
import { createLog } from '../observe/log.ts'
import { type AlertEvent, type Analysis } from './analyses/analysis.ts'
import { createRunningAlert, type RunningAlert } from './running-alert.ts'

const anEvent = (event: string): AlertEvent => ({ event, data: {} })

/** What the notifier got: events with a `!` where progress is written before them, and what is unfinished in brackets. */
let calls: string[]
let lines: string[]
/** What the analysis finds in the next scene, and how much it has unfinished then. */
let next: { events: string[]; unfinished: number } | Error
let running: RunningAlert
const alert = anAlert()
const names = (events: readonly AlertEvent[]) => events.map(({ event }) => event).join(',')

beforeEach(() => {
  calls = []
  lines = []
  next = { events: [], unfinished: 0 }
  let unfinished = 0
  const analysis: Analysis = {
    update() {
      if (next instanceof Error) throw next
      unfinished = next.unfinished
      return next.events.map(anEvent)
    },
    get unfinished() {
      return unfinished
    },
    end: (reason) => (unfinished > 0 ? [anEvent(`ended by ${reason}`)] : []),
    interrupt() {
      unfinished = 0
      return [anEvent('lost')]
    },
  }
  running = createRunningAlert(alert, {
    analysis,
    notifier: () => ({
      notify: ({ alias }, events, { takenAtMs }, left) =>
        void calls.push(`${alias} ${takenAtMs}: ${names(events)}${left ? `! [${names(left.events)}]` : ''}`),
      setUnfinished: ({ events }) => void calls.push(`[${names(events)}]`),
    }),
    log: createLog({ level: 'error', write: (line) => void lines.push(line) }),
  })
})

function see(takenAtMs: number, events: string[], unfinished = 0): void {
  next = { events, unfinished }
  running.onScene(sceneAt(takenAtMs, []))
}

describe('events', () => {
  test('go to the notifier; a scene without any does not', () => {
    see(1, [])
    see(2, ['found'])
    expect(calls).toEqual(['yard 2: found'])
  })

  test('that leave something unfinished have it written before them, and so has its end', () => {
    see(1, ['started'], 1)
    see(2, [], 1)
    see(3, ['ended'])
    expect(calls).toEqual(['yard 1: started! [ended by service-restart]', 'yard 3: ended! []'])
  })

  test('that are updates cost no write', () => {
    see(1, ['acquired'], 1)
    see(2, ['update'], 1)
    expect(calls.slice(1)).toEqual(['yard 2: update', '[ended by service-restart]'])
  })

  test('have the alias that the alert has now', () => {
    running.setAlias('gate')
    see(1, ['found'])
    expect([calls, running.alert.alias]).toEqual([['gate 1: found'], 'gate'])
  })
})

test('without an event, what is unfinished is still reported when it changes', () => {
  see(1, [], 2)
  see(2, [], 2)
  expect(calls).toEqual(['yard 1: ', '[ended by service-restart]'])
})

test('an end leaves nothing unfinished', () => {
  see(1, ['started'], 1)
  running.end('process-ended', 1)
  expect(calls.at(-1)).toBe('yard 1: ended by process-ended! []')
})

test('an end with nothing unfinished is silent', () => {
  see(1, ['found'])
  running.end('process-ended', 1)
  expect(calls).toHaveLength(1)
})

test('an interruption is dated by the last scene', () => {
  see(1, ['acquired'], 1)
  running.interrupt(7)
  expect(calls.at(-1)).toBe('yard 7: lost! []')
})

test('an analysis that fails is logged once, and throws nothing', () => {
  next = new Error('broken')
  for (const takenAtMs of [1, 2]) running.onScene(sceneAt(takenAtMs, []))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(alert.id)
})
