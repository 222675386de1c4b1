import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { createMessageRate, openTelemetrySession } from './telemetry-session.ts'

describe('silence', () => {
  const websocket: TelemetryCfg = { type: 'websocket', format: 'native', parameters: {} }

  function setUp(cfg: TelemetryCfg) {
    const clock = createFakeClock()
    const session = openTelemetrySession(cfg, {
      processId: 'p1',
      geoidHeightM: () => 0,
      dial: () => new Promise(() => {}),
      onSample: () => {},
      clock,
    })
    const send = (more: object = {}) =>
      void session.receive(JSON.stringify({ timestamp: clock.now() / 1000, altitude: 5, ...more }))
    return { clock, session, send }
  }

  test('of a sender that never began is said, and where it should send', async () => {
    const { clock, session } = setUp(websocket)
    await clock.advance(9_000)
    expect(session.status).toMatchObject({ error: null, isSilent: false, last: null })
    await clock.advance(2_000)
    expect(session.status).toMatchObject({ isSilent: true, last: null })
    expect(session.status.error).toMatch(/^No message has come yet\. .*\/process\/p1\/telemetry/)
    await session.close()
  })

  test('of one that stopped is said with its age, until it sends again', async () => {
    const { clock, session, send } = setUp(websocket)
    send()
    const atMs = clock.now()
    await clock.advance(33_000)
    expect(session.status).toMatchObject({ last: { atMs, ageMs: 33_000 }, isSilent: true })
    expect(session.status.error).toMatch(/^No message for 33 s: /)
    send()
    expect(session.status).toMatchObject({ last: { ageMs: 0 }, error: null, isSilent: false })
    await session.close()
  })

  test('the last message that was understood is kept with its age, as it was sent', async () => {
    const { clock, session, send } = setUp(websocket)
    expect(session.latest).toBeNull()
    send({ altitude: 7 })
    await clock.advance(400)
    expect(session.latest).toEqual({
      number: 1,
      ageMs: 400,
      message: { timestamp: (clock.now() - 400) / 1000, altitude: 7 },
    })
    send({ altitude: 9 })
    send({ latitude: 91 })
    expect(session.latest).toMatchObject({ number: 2, ageMs: 0, message: { altitude: 9 } })
    await session.close()
  })

  test('one whose messages are refused is told why', async () => {
    const { clock, session, send } = setUp(websocket)
    send()
    await clock.advance(8_000)
    send({ latitude: 91 })
    expect(session.status.error).toMatch(/^No message could be used for 8 s: .*latitude/)
    await session.close()
  })

  test('what is wrong with the broker is said first', async () => {
    const parameters = { ip: 'broker', port: 1883, topic: 'drone' }
    const { clock, session } = setUp({ type: 'mqtt', format: 'native', parameters })
    await clock.advance(60_000)
    expect(session.status).toMatchObject({ error: 'The broker has not answered yet.', isSilent: false })
  })

  test('a camera that never moves is never silent', async () => {
    const parameters = { sensor_hfov: 60, sensor_vfov: 40 }
    const { clock, session } = setUp({ type: 'static', format: 'native', parameters })
    await clock.advance(60_000)
    expect(session.status).toMatchObject({ error: null, isSilent: false })
    await session.close()
  })
})

describe('the rate of messages', () => {
  /** How many of so many messages are read. */
  function setUp() {
    const clock = createFakeClock()
    const rate = createMessageRate(clock)
    const read = (count: number, bytes: number) =>
      Array.from({ length: count }, () => rate.isWithin(bytes)).filter(Boolean).length
    return { clock, read }
  }

  test('two hundred messages of a drone are read in a second, and no more', async () => {
    const { clock, read } = setUp()
    expect(read(300, 400)).toBe(200)
    await clock.advance(1_000)
    expect(read(300, 400)).toBe(200)
  })

  test('of large messages as many are read as work allows', async () => {
    const { clock, read } = setUp()
    expect(read(100, 64 * 1024)).toBe(8)
    await clock.advance(1_000)
    expect(read(100, 64 * 1024)).toBe(2)
  })

  test('the vendor’s largest messages are all read, ten times a second', async () => {
    const { clock, read } = setUp()
    for (let second = 0; second < 60; second++) {
      expect(read(10, 10_000)).toBe(10)
      await clock.advance(1_000)
    }
  })
})
