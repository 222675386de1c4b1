import { expect, test } from 'vitest'
import { aProcess, aScene } from '../../test/builders/process.ts'
import { type AlertMessage } from './alert-message.ts'
import { createDetectionChannel, type DetectionClient } from './detection-channel.ts'
import { type DetectionMessage } from './detection-message.ts'
import { type StatusMessage } from './status-message.ts'

function aClient() {
  const taken: DetectionMessage[] = []
  const ends: string[] = []
  const client: DetectionClient = {
    take: (message) => taken.push(JSON.parse(message) as DetectionMessage),
    end: ({ state }) => ends.push(state),
    moved: () => ends.push('moved'),
  }
  return { client, taken, ends }
}

function anAlert(process_uuid: string, event_uuid: string): AlertMessage {
  const about = {
    alert_uuid: 'alert',
    alias: 'gate',
    type: 'filter-search',
    source_uuid: 'cam',
    at: 'now',
    track_ids: [],
  }
  return { ...about, event_uuid, event: 'found', process_uuid }
}

test('everybody gets the same messages; the count goes on while nobody listens', () => {
  const channel = createDetectionChannel()
  const process = aProcess()
  channel.onScene(process, aScene())
  const [one, two] = [aClient(), aClient()]
  const leave = channel.listen(process.id, one.client)
  channel.listen(process.id, two.client)
  channel.onScene(process, aScene())
  leave()
  channel.onScene(process, aScene())
  expect(one.taken.map(({ sequence }) => sequence)).toEqual([2])
  expect(two.taken.map(({ sequence }) => sequence)).toEqual([2, 3])
  expect(channel.countClients(process.id)).toBe(1)
})

test('processes are apart from each other', () => {
  const channel = createDetectionChannel()
  const [mine, other] = [aProcess(), aProcess()]
  const { client, taken, ends } = aClient()
  channel.listen(mine.id, client)
  channel.onScene(other, aScene())
  channel.onEnd(other)
  expect([taken, ends]).toEqual([[], []])
})

test('alerts and telemetry go to those clients of their process that take them, a message of telemetry once', () => {
  const channel = createDetectionChannel()
  const [mine, other] = [aProcess(), aProcess()]
  const sent: unknown[] = []
  const { client } = aClient()
  channel.listen(mine.id, client)
  expect(channel.isWanted(mine.id, 'telemetry')).toBe(false)
  const leave = channel.listen(mine.id, {
    ...client,
    alert: ({ event_uuid }) => sent.push(event_uuid),
    telemetry: ({ altitude }) => sent.push(altitude),
  })
  expect([channel.isWanted(mine.id, 'telemetry'), channel.isWanted(other.id, 'telemetry')]).toEqual([true, false])
  for (const process of [mine, other]) {
    channel.onAlert(anAlert(process.id, `alert of ${process.id}`))
    for (const number of [1, 1, 2])
      channel.onTelemetry({ process_uuid: process.id, age_ms: 5, timestamp: 1, altitude: number }, number)
  }
  expect(sent).toEqual([`alert of ${mine.id}`, 1, 2])
  leave()
  expect(channel.isWanted(mine.id, 'telemetry')).toBe(false)
})

test('of a process that had ended before anybody listened, nothing is kept once they have left', () => {
  const channel = createDetectionChannel()
  const process = aProcess({ state: 'finished' })
  channel.onScene(process, aScene())
  channel.onEnd(process)
  const leaveFirst = channel.listen(process.id, aClient().client)
  const leaveLast = channel.listen(process.id, aClient().client)
  leaveFirst()
  expect(channel.countAudiences()).toBe(1)
  leaveLast()
  expect(channel.countAudiences()).toBe(0)
})

test('a client of an ended process that leaves late takes nothing from those of the same process now', () => {
  const channel = createDetectionChannel()
  const process = aProcess()
  const leave = channel.listen(process.id, aClient().client)
  channel.onEnd(process)
  channel.listen(process.id, aClient().client)
  leave()
  expect(channel.countClients(process.id)).toBe(1)
})

test('the end is sent once, and nothing is kept', () => {
  const channel = createDetectionChannel()
  const process = aProcess({ state: 'finished' })
  const { client, ends } = aClient()
  channel.listen(process.id, client)
  channel.onEnd(process)
  channel.onEnd(process)
  expect(ends).toEqual(['finished'])
  expect(channel.countClients(process.id)).toBe(0)
})

test('how it goes is said to each client once, and again when state or cause change', () => {
  const channel = createDetectionChannel()
  const process_uuid = aProcess().id
  const say = (problem: string | null, cause: string | null, state: StatusMessage['state'] = 'running') =>
    channel.onStatus(
      { process_uuid, state, problem, last_frame_at: null, last_frame_age_ms: null, last_telemetry_age_ms: null },
      cause,
    )
  const listen = () => {
    const heard: string[] = []
    const { client } = aClient()
    channel.listen(process_uuid, {
      ...client,
      status: ({ state, problem }) => void heard.push(`${state}: ${problem}`),
    })
    return heard
  }
  const early = listen()
  say(null, null)
  say(null, null)
  say('Silent for 6 s.', 'silent')
  const late = listen()
  say('Silent for 7 s.', 'silent')
  say(null, null, 'paused')
  expect(early).toEqual(['running: null', 'running: Silent for 6 s.', 'paused: null'])
  expect(late).toEqual(['running: Silent for 7 s.', 'paused: null'])
})

test('that somebody listens is announced, so that the first word can be said at once', () => {
  const listened: string[] = []
  const channel = createDetectionChannel()
  channel.onListen((processId) => void listened.push(processId))
  channel.listen('p', aClient().client)
  expect(listened).toEqual(['p'])
})

test('clients of a process that goes on elsewhere are told nothing of an end', () => {
  const channel = createDetectionChannel()
  const process = aProcess()
  const { client, ends } = aClient()
  channel.listen(process.id, client)
  channel.onMoved(process.id)
  channel.onEnd(process)
  expect(ends).toEqual(['moved'])
  expect(channel.countAudiences()).toBe(0)
})

test('what is published is the very text that the clients get, and needs no client', () => {
  const published: (readonly [object, string])[] = []
  const channel = createDetectionChannel({ publishScene: (to, message) => void published.push([to, message]) })
  const process = aProcess()
  const texts: string[] = []
  channel.onScene(process, aScene({ ids: [1] }))
  channel.listen(process.id, { take: (message) => texts.push(message), end: () => {}, moved: () => {} })
  channel.onScene(process, aScene({ ids: [1] }))
  // Those of other nodes are published there.
  channel.onMessageElsewhere(process.id, '{}', 3)
  expect(published.map(([to]) => to)).toEqual(Array(2).fill({ processId: process.id, accountId: 'account' }))
  expect(published.map(([, text]) => (JSON.parse(text) as DetectionMessage).sequence)).toEqual([1, 2])
  expect(texts).toEqual([published[1]![1], '{}'])
})
