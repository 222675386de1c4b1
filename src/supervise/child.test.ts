import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { LEAVES_WHEN_ASKED, writeChildScript } from '../../test/support/child-script.ts'
import { Settings } from '../config/settings.ts'
import { systemClock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { createLog } from '../observe/log.ts'
import { type ChildOptions, startChild } from './child.ts'
import { threadsOf } from './proc.ts'
import { type Exit } from './restart-policy.ts'
import { createStartSlots, type StartSlots } from './start-slots.ts'

afterEach(() => vi.unstubAllEnvs())

const NO_SCRIPT = pathToFileURL('/dev/null')

/** Gives up at the first exit, unless said otherwise. */
function startTestChild<Out = never>(change: Partial<ChildOptions<object, Out>>, slots?: StartSlots) {
  const options: ChildOptions<object, Out> = {
    name: 'test',
    entry: NO_SCRIPT,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    restart: () => ({ do: 'give-up' }),
    onStart: () => {},
    onMessage: () => {},
    ...change,
  }
  return startChild(options, slots)
}

/** The environment that a child finds. */
async function environmentOfChild(): Promise<Record<string, string>> {
  const entry = writeChildScript(`process.send(process.env); ${LEAVES_WHEN_ASKED}`)
  let stop = async () => {}
  const environment = await new Promise<Record<string, string>>((resolve) => {
    const child = startTestChild({ entry, onMessage: resolve })
    stop = () => child.stop()
  })
  await stop()
  return environment
}

test('children get no setting, whatever secrets are among them, and everything else', async () => {
  const settings = [...Object.keys(Settings.shape), 'PGPASSWORD']
  for (const name of settings) vi.stubEnv(name, 'secret')
  vi.stubEnv('FONTCONFIG_PATH', '/fonts')
  const environment = await environmentOfChild()
  expect(settings.filter((name) => name in environment)).toEqual([])
  expect(environment['FONTCONFIG_PATH']).toBe('/fonts')
})

test('a child that works for one stream goes behind those that serve everybody', async () => {
  const child = startTestChild({ isForOne: true })
  expect(getPriority(child.pid)).toBe(Math.min(getPriority() + 5, 19))
  await child.stop()
})

test('one that works in the background goes behind these too', async () => {
  const child = startTestChild({ isInBackground: true })
  expect(getPriority(child.pid)).toBe(Math.min(getPriority() + 10, 19))
  await child.stop()
})

test('one that says when it is at work goes behind them then', async () => {
  const child = startTestChild<number>({
    entry: writeChildScript(`
      const { Worker } = await import('node:worker_threads')
      new Worker('setInterval(() => {}, 1000)', { eval: true }).on('online', () => process.send(1))
      ${LEAVES_WHEN_ASKED}
    `),
    isForOne: true,
    isAtWork: (message) => message === 1,
  })
  expect(getPriority(child.pid)).toBe(getPriority())
  const behind = Math.min(getPriority() + 5, 19)
  await vi.waitFor(() => expect(getPriority(child.pid)).toBe(behind), 10_000)
  // Linux has one for each thread.
  expect(new Set(threadsOf(child.pid).map((thread) => getPriority(thread)))).toEqual(new Set([behind]))
  expect(threadsOf(child.pid).length).toBeGreaterThan(2)
  await child.stop()
})

test('a relaunch is no crash: the policy is not asked, and the next one starts at once', async () => {
  const verdicts: string[] = []
  const pids: number[] = []
  const child = startTestChild<number>({
    entry: writeChildScript(`process.send(process.pid); ${LEAVES_WHEN_ASKED}`),
    restart: () => expect.unreachable(),
    stopAfterMs: 60_000,
    onMessage: (pid) => void pids.push(pid),
    onExit: (_exit, verdict) => void verdicts.push(verdict),
  })
  await vi.waitFor(() => expect(pids).toHaveLength(1), 10_000)
  await child.relaunch()
  await vi.waitFor(() => expect(pids).toHaveLength(2), 10_000)
  expect(child.pid).toBe(pids[1])
  await child.stop()
  await child.relaunch()
  expect(verdicts).toEqual(['relaunch', 'stopped'])
  expect(child.pid).toBeUndefined()
})

test('crashes in a row are counted from 0, and again from 0 after a child that lived for a minute', async () => {
  const lifetimesMs = [0, 0, 59_999, 60_000, 0]
  const counted: number[] = []
  const gaveUp = createDeferred()
  let nowMs = 0
  const child = startTestChild({
    clock: { ...systemClock, steady: () => nowMs },
    restart(_exit, crashesInARow) {
      counted.push(crashesInARow)
      return counted.length < lifetimesMs.length ? { do: 'restart', inMs: 0 } : { do: 'give-up' }
    },
    onStart: () => void (nowMs += lifetimesMs[counted.length]!),
    onExit: (_exit, verdict) => void (verdict === 'give-up' && gaveUp.resolve()),
  })
  await gaveUp.promise
  expect(counted).toEqual([0, 1, 2, 0, 1])
  await child.stop()
})

test('two of those that can wait start at once, and the next when one of them is gone', async () => {
  // Says nothing, so that it goes on starting.
  const entry = writeChildScript(LEAVES_WHEN_ASKED)
  const slots = createStartSlots({ maxStarting: 2, maxStartMs: 600_000 })
  const started: number[] = []
  const children = [0, 1, 2, 3].map((index) =>
    startTestChild(
      {
        startTurn: { when: 'later', owner: 'ann' },
        entry,
        stopAfterMs: 10_000,
        onStart: () => void started.push(index),
      },
      slots,
    ),
  )
  await vi.waitFor(() => expect(started).toEqual([0, 1]), 10_000)
  await children[2]!.stop()
  await children[0]!.stop()
  await vi.waitFor(() => expect(started).toEqual([0, 1, 3]), 10_000)
  await Promise.all(children.map((child) => child.stop()))
})

test.each([{ when: 'soon', owner: 'ann' } as const, undefined])(
  'a process that cannot even be made (its turn: %j) is an exit like others, and releases its slot',
  async (startTurn) => {
    // Beyond what a system hands to a new process: thrown by fork, unlike a lack of handles.
    vi.stubEnv('TOO_LONG', 'x'.repeat(8 * 2 ** 20))
    const slots = createStartSlots({ maxStarting: 1, maxStartMs: 600_000 })
    const exits: { exit: Exit; verdict: string }[] = []
    const child = startTestChild(
      {
        ...(startTurn && { startTurn }),
        restart: (_exit, crashesInARow) => (crashesInARow < 2 ? { do: 'restart', inMs: 1 } : { do: 'give-up' }),
        onStart: () => expect.unreachable(),
        onExit: (exit, verdict) => void exits.push({ exit, verdict }),
      },
      slots,
    )
    expect(exits).toEqual([])
    await vi.waitFor(
      () => expect(exits.map(({ verdict }) => verdict)).toEqual(['restart', 'restart', 'give-up']),
      10_000,
    )
    expect(exits[0]!.exit).toEqual({ code: null, signal: null, afterMs: 0 })
    expect(await slots.take({ when: 'soon', owner: 'bob' }, new AbortController().signal)).toBeTypeOf('function')
    await child.stop()
  },
)

test.skipIf(!existsSync('/proc/self/statm'))(
  'a child that takes more memory than it may is killed, also while nothing else runs in it, and its policy knows',
  async () => {
    const entry = writeChildScript(
      'for (const held = []; ; ) if (held.length < 300) held.push(Buffer.alloc(2 ** 20, 1))',
    )
    const exit = await new Promise<Exit>((resolve) => {
      startTestChild({ entry, maxMemoryBytes: 200 * 2 ** 20, onExit: resolve })
    })
    expect(exit).toMatchObject({ signal: 'SIGKILL', isOverMemory: true })
  },
)

test.each([
  ['it is started again', { do: 'restart', inMs: 60_000 }, { restart_in_ms: 60_000 }],
  ['it is not started again', { do: 'give-up' }, {}],
] as const)('the log says what happens after a child has ended: %s', async (sentence, verdict, fields) => {
  const lines: object[] = []
  const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line) as object) })
  const ended = createDeferred()
  const child = startTestChild({ log, restart: () => verdict, onExit: () => ended.resolve() })
  await ended.promise
  expect(lines).toMatchObject([{ child: 'test', code: 0, ...fields, msg: `a child process ended; ${sentence}` }])
  await child.stop()
})
