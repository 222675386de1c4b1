import { expect, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { type ProbeReport } from '../media/messages.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createStreamProbe, type StreamProbeDeps } from './stream-probe.ts'

const account = { id: 'a' } as Account
const report = {
  codec: 'h264',
  width: 640,
  height: 360,
  fps: 25,
  has_b_frames: true,
  first_frame_ms: 90,
  problems: ['Slow.'],
} as unknown as ProbeReport

function aProbe(change: Partial<StreamProbeDeps> = {}) {
  const asked: unknown[] = []
  const revoked: string[] = []
  const look = createStreamProbe({
    probe: async (_owner, { input, outbound }) => (asked.push([input, outbound]), report),
    paths: { mediaPathOf: async (_account, url) => (url.includes('//here/') ? url.split('//here/')[1]! : null) },
    streams: {
      canBeRead: (path) => path === 'admin/live' || path === 'admin/idle-camera',
      grant: (_action, path) => ({ url: `internal:${path}`, revoke: () => void revoked.push(path) }),
    },
    rulesOf: async (accountId) => ({ ...OPERATOR_RULES, allow: [accountId] }),
    ...change,
  })
  return { look, asked, revoked }
}

test('an address elsewhere is looked at by the rules of the account', async () => {
  const { look, asked } = aProbe()
  expect(await look(account, 'rtsp://camera/x')).toEqual({
    is_readable: true,
    video: { codec: 'h264', width: 640, height: 360, fps: 25, has_b_frames: true },
    problems: ['Slow.'],
  })
  expect(asked).toEqual([['rtsp://camera/x', { ...OPERATOR_RULES, allow: ['a'] }]])
})

test.each(['admin/live', 'admin/idle-camera'])('%s here is read with a right that ends with the look', async (path) => {
  const { look, asked, revoked } = aProbe()
  await look(account, `rtsp://here/${path}`)
  expect([asked, revoked]).toEqual([[[`internal:${path}`, null]], [path]])
})

test('a path to which nobody publishes is not dialled, and is reported as that', async () => {
  const { look, asked } = aProbe()
  const { is_readable, problems } = await look(account, 'rtsp://here/admin/later')
  expect([is_readable, asked]).toEqual([false, []])
  expect(problems[0]).toMatch(/^Nothing is being published to admin\/later yet/)
})

test('what cannot be opened is said with an advice and without a password', async () => {
  const probe = async () => Promise.reject(new Error('rtsp://me:secret@camera/x: Connection refused'))
  const { problems } = await aProbe({ probe }).look(account, 'rtsp://me:secret@camera/x')
  expect(problems[0]).toMatch(/Connection refused\. Nothing listens there/)
  expect(problems[0]).not.toContain('secret')
})

test('one look at a time for each account', async () => {
  const held = createDeferred<ProbeReport>()
  const { look } = aProbe({ probe: () => held.promise })
  const first = look(account, 'rtsp://camera/1')
  await expect(look(account, 'rtsp://camera/2')).rejects.toMatchObject({ code: 'probe-under-way' })
  held.resolve(report)
  await first
  expect((await look(account, 'rtsp://camera/2')).is_readable).toBe(true)
})

test('that too many look already is no fault of the address', async () => {
  const probe = async () => Promise.reject(new AppError('prober-busy'))
  await expect(aProbe({ probe }).look(account, 'rtsp://camera/1')).rejects.toMatchObject({ code: 'prober-busy' })
})
