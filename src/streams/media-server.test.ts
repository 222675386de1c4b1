import { expect, test, vi } from 'vitest'
import { LEAVES_WHEN_ASKED, writeChildScript } from '../../test/support/child-script.ts'
import { systemClock } from '../core/clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { type AccessAnswer, type AccessQuestion } from '../media/messages.ts'
import { createLog } from '../observe/log.ts'
import { createLivePaths } from './live-paths.ts'
import { createMediaPorts } from './media-endpoints.ts'
import { createMediaServer } from './media-server.ts'
import { createNodeRelays } from './node-relays.ts'
import { createPulledPaths } from './pulled-paths.ts'
import { createRemotePaths } from './remote-paths.ts'
import { createVideoTimes } from './video-times.ts'

/** A media server whose process runs this script; waits between its starts are short. */
function createRig(code: string, decideAccess: (question: AccessQuestion) => Promise<AccessAnswer>) {
  const { localPaths, reports } = createLivePaths()
  const server = createMediaServer({
    options: { host: '127.0.0.1', logLevel: 'silent' },
    certificate: undefined,
    decideAccess,
    livePathReports: reports,
    pullOrders: createPulledPaths(systemClock).pullOrders,
    relayOrders: createRemotePaths().relayOrders,
    relayReports: createNodeRelays().relayReports,
    onUnused: () => {},
    videoTimes: createVideoTimes(systemClock),
    ports: createMediaPorts({ rtspPort: 0, rtmpPort: 0, rtspsPort: undefined, rtmpsPort: undefined }),
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) },
    log: createLog({ level: 'silent' }),
    entry: writeChildScript(code),
  })
  return { server, livePaths: localPaths }
}

/** Asks one question, `ann/first` before its crash and `ann/second` after it, and shows the answer as a path that is live. */
const ASKS_AND_CRASHES = `
  import { existsSync, writeFileSync } from 'node:fs'
  const marker = new URL('crashed', import.meta.url)
  const path = existsSync(marker) ? 'ann/second' : 'ann/first'
  process.on('message', ({ type, answer }) => {
    if (type === 'start') {
      process.send({ type: 'listening', ports: { rtspPort: 1, rtmpPort: 2 } })
      process.send({ type: 'authorize', id: 1, question: { action: 'read', path } }, () => {
        if (path === 'ann/second') return
        writeFileSync(marker, '')
        process.exit(1)
      })
    }
    if (type === 'access') process.send({ type: 'live', path: answer.access.principal, protocol: 'rtsp' })
  })
  ${LEAVES_WHEN_ASKED}
`

test('an answer that comes after a crash is not taken for one to the same question of the next process', async () => {
  const answers = new Map<string, ReturnType<typeof createDeferred<AccessAnswer>>>()
  const { server, livePaths } = createRig(ASKS_AND_CRASHES, ({ path }) => {
    answers.set(path, createDeferred<AccessAnswer>())
    return answers.get(path)!.promise
  })
  await server.start()
  await vi.waitFor(() => expect([...answers.keys()]).toEqual(['ann/first', 'ann/second']), 10_000)
  answers.get('ann/first')!.resolve({ access: { principal: 'who asked first' } })
  await answers.get('ann/first')!.promise
  answers.get('ann/second')!.resolve({ access: { principal: 'who asked second' } })
  await vi.waitFor(() => expect(livePaths.isLive('who asked second')).toBe(true), 10_000)
  expect(livePaths.list().map(({ path }) => path)).toEqual(['who asked second'])
  await server.stop()
})

/** Crashes so often at its start, and then listens. */
const crashesAtFirst = (times: number) => `
  import { appendFileSync, readFileSync } from 'node:fs'
  const starts = new URL('starts', import.meta.url)
  appendFileSync(starts, '.')
  if (readFileSync(starts).length <= ${times}) process.exit(1)
  process.send({ type: 'listening', ports: { rtspPort: 1, rtmpPort: 2 } })
  ${LEAVES_WHEN_ASKED}
`

test('one that crashes at its start is started again, and given up when that goes on', async () => {
  const { server } = createRig(crashesAtFirst(4), () => expect.unreachable())
  expect(await server.start()).toMatchObject({ rtspPort: 1 })
  expect(server.isListening).toBe(true)
  await server.stop()
  const { server: broken } = createRig(crashesAtFirst(5), () => expect.unreachable())
  await expect(broken.start()).rejects.toThrow('The media server ended 5 times before it listened')
  expect(broken.isListening).toBe(false)
  await broken.stop()
}, 30_000)
