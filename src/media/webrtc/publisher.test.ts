import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createFrameMaker } from '../../../test/builders/h264-rtp.ts'
import { createDeferred } from '../../core/deferred.ts'
import { buildBye, buildReceiverReport } from '../rtsp/wire/rtcp.ts'
import { type RtspPublisher } from '../rtsp/client/publisher.ts'
import { parseFeedback } from './feedback.ts'
import { createPublisher } from './publisher.ts'

beforeEach(() => void vi.useFakeTimers())

/** Without a turn for anything else that this process has begun, whose timers would be counted. */
async function untilPromisesAreSettled(): Promise<void> {
  for (let step = 0; step < 10; step++) await Promise.resolve()
}

function createRig() {
  const recording = createDeferred()
  const written: Buffer[] = []
  const reports: Buffer[] = []
  const calls: string[] = []
  let endHub: (reason: string) => void = () => {}
  const hubPublisher: RtspPublisher = {
    record() {
      calls.push('record')
      return recording.promise
    },
    write: (_track, packet) => void written.push(packet),
    writeInterleaved: () => expect.unreachable(),
    writeReport: (_track, data) => void reports.push(data),
    onEnd: (handler) => void (endHub = handler),
    close: async () => void calls.push('close'),
  }
  const sent: Buffer[] = []
  let receive: (data: Buffer) => void = () => {}
  const peerTrack = {
    send: (data: Buffer) => void sent.push(data),
    onMessage: (handler: (data: Buffer) => void) => void (receive = handler),
  }
  const clock = { now: 10_000 }
  const ends: string[] = []
  const publisher = createPublisher({
    hubPublisher,
    tracks: [
      {
        track: { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' },
        peerTrack,
      },
    ],
    onEnd: (reason) => void ends.push(reason),
    now: () => clock.now,
  })
  publisher.start()
  const feedback = () => sent.splice(0).map(parseFeedback)
  return {
    ...{ publisher, recording, written, reports, calls, clock, ends, feedback },
    receive: (data: Buffer) => receive(data),
    endHub: (reason: string) => endHub(reason),
  }
}

describe('going live', () => {
  test('with the first keyframe; what comes while the hub opens the path is kept', async () => {
    const { receive, written, calls, recording, publisher } = createRig()
    const nextFrame = createFrameMaker()
    const packets = [nextFrame('delta'), nextFrame('key'), nextFrame('delta'), nextFrame('delta')]
    receive(packets[0]!)
    expect(calls).toEqual([])
    receive(packets[1]!)
    receive(packets[2]!)
    expect([calls, written]).toEqual([['record'], []])
    recording.resolve()
    await vi.advanceTimersByTimeAsync(0)
    receive(packets[3]!)
    expect(written).toEqual(packets.slice(1))
    publisher.close()
    expect(calls).toEqual(['record', 'close'])
  })

  test('a hub that refuses the path ends it', async () => {
    const { receive, recording, ends } = createRig()
    receive(createFrameMaker()('key'))
    recording.reject(new Error('The path is taken.'))
    await vi.advanceTimersByTimeAsync(0)
    expect(ends).toEqual(['The path is taken.'])
  })
})

describe('packets', () => {
  test('of another payload type, or too short for a header, are ignored', () => {
    const { receive, calls } = createRig()
    const packet = createFrameMaker()('key')
    packet[1] = 0x80 | 97
    receive(packet)
    receive(Buffer.alloc(11))
    expect(calls).toEqual([])
  })

  test('lost ones are asked for again, and gone on without after a while', async () => {
    const { receive, written, recording, feedback } = createRig()
    const nextFrame = createFrameMaker()
    receive(nextFrame('key'))
    recording.resolve()
    await vi.advanceTimersByTimeAsync(0)
    const lost = nextFrame('delta')
    const late = nextFrame('delta')
    receive(late)
    expect(feedback()).toMatchObject([{ lost: [lost.readUInt16BE(2)] }])
    expect(written).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(201)
    expect(written).toEqual([expect.anything(), late])
  })

  test('of a browser that counts anew, further back, are taken at once', async () => {
    const { receive, written, recording, publisher } = createRig()
    const nextFrame = createFrameMaker()
    const key = nextFrame('key')
    key.writeUInt16BE(30_000, 2)
    receive(key)
    recording.resolve()
    await untilPromisesAreSettled()
    const anew = nextFrame('delta')
    receive(anew)
    expect(written).toEqual([key, anew])
    publisher.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the browser', () => {
  test('is asked for a keyframe every two seconds, and for no more bits than may be, once it sends', () => {
    const { publisher, receive, feedback, clock } = createRig()
    publisher.tick(clock.now)
    expect(feedback()).toEqual([])
    receive(createFrameMaker()('key'))
    const wantsKeyframe = () => {
      publisher.tick((clock.now += 1_000))
      return feedback().map((one) => one.wantsKeyframe)
    }
    expect(wantsKeyframe()).toEqual([false, true])
    expect(wantsKeyframe()).toEqual([false])
    expect(wantsKeyframe()).toEqual([false, true])
  })

  test('its reports go to the hub once the path is live', async () => {
    const { receive, reports, recording } = createRig()
    const report = buildReceiverReport(7)
    receive(report)
    receive(createFrameMaker()('key'))
    recording.resolve()
    await vi.advanceTimersByTimeAsync(0)
    receive(report)
    expect(reports).toEqual([report])
  })
})

describe('the end', () => {
  test('a goodbye, the hub, and silence', () => {
    const { publisher, receive, endHub, ends, clock } = createRig()
    receive(buildBye(1))
    endHub('nobody may publish here')
    expect(ends).toEqual(['the publisher said goodbye', 'the media server ended it: nobody may publish here'])
    expect(publisher.tick(clock.now + 8_000)).toBeUndefined()
    expect(publisher.tick(clock.now + 8_001)).toBe('nothing came any more')
  })
})
