import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { Settings } from '../config/settings.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { startChild } from './child.ts'
import { type Exit } from './restart-policy.ts'
import { createStartSlots } from './start-slots.ts'

afterEach(() => vi.unstubAllEnvs())

/** The environment that a child finds. */
async function environmentOfChild(): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-child-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const entry = join(folder, 'entry.mjs')
  writeFileSync(entry, 'process.send(process.env); process.on("disconnect", () => process.exit())')
  let stop = async () => {}
  const environment = await new Promise<Record<string, string>>((resolve) => {
    const child = startChild<object, Record<string, string>>({
      name: 'test',
      entry: pathToFileURL(entry),
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      restart: () => ({ do: 'give-up' }),
      onStart: () => {},
      onMessage: resolve,
    })
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
  const child = startChild<object, never>({
    name: 'test',
    isForOne: true,
    entry: pathToFileURL('/dev/null'),
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    restart: () => ({ do: 'give-up' }),
    onStart: () => {},
    onMessage: () => {},
  })
  expect(getPriority(child.pid)).toBe(Math.min(getPriority() + 5, 19))
  await child.stop()
})

test('two of those that can wait start at once, and the next when one of them is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-child-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const entry = join(folder, 'entry.mjs')
  // Says nothing, so that it goes on starting.
  writeFileSync(entry, 'process.on("disconnect", () => process.exit())')
  const slots = createStartSlots({ maxStarting: 2, maxStartMs: 600_000 })
  const started: number[] = []
  const children = [0, 1, 2, 3].map((index) =>
    startChild<object, never>(
      {
        name: 'test',
        startTurn: { when: 'later', owner: 'ann' },
        entry: pathToFileURL(entry),
        clock: systemClock,
        log: createLog({ level: 'silent' }),
        restart: () => ({ do: 'give-up' }),
        stopAfterMs: 10_000,
        onStart: () => void started.push(index),
        onMessage: () => {},
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
  'a process that cannot even be made (its turn: %j) is an exit like others, and leaves its place',
  async (startTurn) => {
    // Beyond what a system hands to a new process: thrown by fork, unlike a lack of handles.
    vi.stubEnv('TOO_LONG', 'x'.repeat(8 * 2 ** 20))
    const slots = createStartSlots({ maxStarting: 1, maxStartMs: 600_000 })
    const exits: { exit: Exit; verdict: string }[] = []
    const child = startChild<object, never>(
      {
        name: 'test',
        ...(startTurn && { startTurn }),
        entry: pathToFileURL('/dev/null'),
        clock: systemClock,
        log: createLog({ level: 'silent' }),
        restart: (_exit, crashesInARow) => (crashesInARow < 2 ? { do: 'restart', inMs: 1 } : { do: 'give-up' }),
        onStart: () => expect.unreachable(),
        onMessage: () => {},
        onExit: (exit, verdict) => void exits.push({ exit, verdict }),
      },
      slots,
    )
    expect(exits).toEqual([])
    await vi.waitFor(() => expect(exits.map(({ verdict }) => verdict)).toEqual(['restart', 'restart', 'give-up']))
    expect(exits[0]!.exit).toEqual({ code: null, signal: null, afterMs: 0 })
    expect(await slots.take({ when: 'soon', owner: 'bob' }, new AbortController().signal)).toBeTypeOf('function')
    await child.stop()
  },
)

test.skipIf(!existsSync('/proc/self/statm'))(
  'a child that takes more memory than it may is killed, also while nothing else runs in it, and its policy knows',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-child-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const entry = join(folder, 'entry.mjs')
    writeFileSync(entry, 'for (const held = []; ; ) if (held.length < 300) held.push(Buffer.alloc(2 ** 20, 1))')
    const exit = await new Promise<Exit>((resolve) => {
      startChild<object, never>({
        name: 'test',
        entry: pathToFileURL(entry),
        clock: systemClock,
        log: createLog({ level: 'silent' }),
        restart: () => ({ do: 'give-up' }),
        maxMemoryBytes: 200 * 2 ** 20,
        onStart: () => {},
        onMessage: () => {},
        onExit: resolve,
      })
    })
    expect(exit).toMatchObject({ signal: 'SIGKILL', isOverMemory: true })
  },
)
