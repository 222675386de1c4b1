import { expect, test, vi } from 'vitest'
import { LEAVES_WHEN_ASKED, writeChildScript } from '../../test/support/child-script.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { startChildRun } from './child-run.ts'
import { type Exit } from './restart-policy.ts'

const TIMEOUT_MS = 60_000
const BEAT = 'process.send({ type: "heartbeat", loopDelayMs: 7 })'

function startRun(code: string) {
  const messages: unknown[] = []
  const exits: Exit[] = []
  const clock = createFakeClock()
  let isStarted = false
  const run = startChildRun({
    entry: writeChildScript(code),
    maxMemoryBytes: undefined,
    maxSilenceMs: 3_000,
    clock,
    onStarted: () => void (isStarted = true),
    onMessage: (message) => void messages.push(message),
    onError: (error) => expect.unreachable(String(error)),
    onExit: (exit) => void exits.push(exit),
  })
  return { run, messages, exits, clock, isStarted: () => isStarted }
}

test('it is started with its first message, which is none if it only says that it is alive', async () => {
  const { run, messages, exits, clock, isStarted } = startRun(
    `${LEAVES_WHEN_ASKED} process.on("message", (message) => process.send([message])); ${BEAT}`,
  )
  expect(isStarted()).toBe(false)
  await vi.waitFor(() => expect(isStarted()).toBe(true), 10_000)
  expect(messages).toEqual([])
  expect(run.loopDelayMs).toBe(7)
  run.send({ hello: 1n })
  await vi.waitFor(() => expect(messages).toEqual([[{ hello: 1n }]]), 10_000)
  await clock.advance(500)
  // Durations do not depend on the wall clock.
  clock.setBack(7_200_000)
  await run.stop(TIMEOUT_MS)
  expect(exits).toEqual([{ code: 0, signal: null, afterMs: 500 }])
  run.send({ late: true })
})

test('one that does not go when asked is killed', async () => {
  const { run, messages, exits } = startRun('setInterval(() => {}, 1_000); process.send("here")')
  await vi.waitFor(() => expect(messages).toEqual(['here']), 10_000)
  await run.stop(0)
  expect(exits).toMatchObject([{ code: null, signal: 'SIGKILL' }])
})

test('one that ends by itself counts as started, and its exit is reported once', async () => {
  const { run, exits, isStarted } = startRun('process.exit(3)')
  await vi.waitFor(() => expect(exits).toMatchObject([{ code: 3, signal: null }]), 10_000)
  expect(isStarted()).toBe(true)
  await run.stop(TIMEOUT_MS)
  expect(exits).toHaveLength(1)
})

test('one that gives no sign of life any more is killed, and its exit says so', async () => {
  const { exits, clock, isStarted } = startRun(`setInterval(() => {}, 1_000); ${BEAT}`)
  await vi.waitFor(() => expect(isStarted()).toBe(true), 10_000)
  // A second in which it waited for a core is forgiven.
  const passSecond = async () => {
    await clock.advance(1_000)
    expect(exits).toMatchObject([{ signal: 'SIGKILL', isHung: true }])
  }
  await vi.waitFor(passSecond, 30_000)
})

test('one that takes its time to go is not taken for one that hangs', async () => {
  const { run, exits, clock, isStarted } = startRun(
    `process.once("disconnect", () => setTimeout(() => process.exit(0), 500)); setInterval(() => {}, 1_000); ${BEAT}`,
  )
  await vi.waitFor(() => expect(isStarted()).toBe(true), 10_000)
  const stopped = run.stop(TIMEOUT_MS)
  for (let second = 0; second < 10; second++) await clock.advance(1_000)
  await stopped
  expect(exits).toMatchObject([{ code: 0, signal: null }])
})
