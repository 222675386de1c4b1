import { beforeEach, describe, expect, test } from 'vitest'
import { anAlert, aTrack, aTrackAt, dense, follow, sceneAt, search } from '../../test/builders/alerts.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createLastNotification } from './analyses/last-notification.ts'
import { createLog } from '../observe/log.ts'
import { createProcessRun, type ProcessRun } from './process-run.ts'

let clock: FakeClock
let run: ProcessRun
let events: string[]
let wanted: boolean[]
beforeEach(() => {
  clock = createFakeClock()
  events = []
  wanted = []
  run = createProcessRun({
    pipeline: { keepsPictures: () => true, setWanted: (isWanted) => void wanted.push(isWanted), request: () => {} },
    notifierOf: () => ({
      notify: (alert, found) => void events.push(...found.map(({ event }) => `${alert.alias} ${event}`)),
      setUnfinished: () => {},
    }),
    lastNotificationOf: () => createLastNotification(),
    clock,
    log: createLog({ level: 'silent' }),
  })
})

const see = (takenAtMs: number, ...ids: number[]) =>
  run.onScene(
    sceneAt(
      takenAtMs,
      ids.map((id) => aTrack(id, [0.5, 0.5])),
    ),
  )

test('frames are held for pictures only while an alert runs', () => {
  const [one, other] = [anAlert(), anAlert()]
  run.begin([])
  expect(wanted).toEqual([])
  run.enable(one)
  run.enable(other)
  run.disable(one.id, 'alert-deactivated')
  expect(wanted).toEqual([true])
  run.discard(other.id)
  expect(wanted).toEqual([true, false])
})

describe('before its alerts are known', () => {
  test('scenes wait', () => {
    see(0, 1)
    expect(events).toEqual([])
    run.begin([anAlert()])
    expect(events).toEqual(['yard found'])
  })

  test('no more of them wait than are seen in ten seconds', () => {
    for (let frame = 0; frame < 301; frame++) see(frame * 33, frame + 1)
    run.begin([anAlert()])
    expect(events).toHaveLength(300)
  })

  test('one that is enabled meanwhile runs once', () => {
    const alert = anAlert()
    run.enable(alert)
    run.begin([alert])
    see(0, 1)
    expect(events).toEqual(['yard found'])
  })
})

describe('a change', () => {
  test('of the alias holds at once, of the setup from the next launch on', () => {
    const alert = anAlert({ setup: search })
    const changed = { ...alert, alias: 'gate', setup: dense }
    run.begin([alert])
    run.enable(changed)
    expect(run.alerts).toEqual([{ ...alert, alias: 'gate' }])
    run.renew([changed])
    expect(run.alerts).toEqual([changed])
  })

  test('ends what goes on', () => {
    const alert = anAlert({ setup: dense })
    run.begin([alert])
    see(0, 1)
    run.renew([{ ...alert, setup: follow }])
    expect(events).toEqual(['yard started', 'yard ended'])
  })
})

describe('without pictures', () => {
  beforeEach(() => {
    run.begin([anAlert({ setup: follow })])
    see(0, 1)
    run.setSeeing(false)
  })

  test('for two seconds what is followed is lost', async () => {
    await clock.advance(2_000)
    expect(events).toEqual(['yard acquired', 'yard lost'])
  })

  test('for less than that it is not', async () => {
    await clock.advance(1_900)
    run.setSeeing(true)
    await clock.advance(2_000)
    expect(events).toEqual(['yard acquired'])
  })

  test('at the end of the process it is lost once', async () => {
    run.end('process-ended')
    await clock.advance(2_000)
    expect(events).toEqual(['yard acquired', 'yard lost'])
  })
})

test('disabled it ends with an event, discarded without', () => {
  const [one, other] = [anAlert({ alias: 'one', setup: dense }), anAlert({ alias: 'other', setup: dense })]
  run.begin([one, other])
  see(0, 1)
  run.disable(one.id, 'alert-deactivated')
  run.discard(other.id)
  expect(events).toEqual(['one started', 'other started', 'one ended'])
  expect(run.alerts).toEqual([])
})

test('it knows whether anything has had a place', () => {
  run.begin([])
  see(0, 1)
  expect(run.hasSeenPlaces).toBe(false)
  run.onScene(sceneAt(1, [aTrackAt(1, 48, 11)]))
  see(2, 1)
  expect(run.hasSeenPlaces).toBe(true)
})
