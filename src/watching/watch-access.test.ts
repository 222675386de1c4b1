import { expect, test } from 'vitest'
import { AppError } from '../core/errors.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { createWatchAccess } from './watch-access.ts'

test.each([
  { given: { key: 'k' }, asked: { kind: 'key', key: 'k' } },
  { given: { token: 't' }, asked: { kind: 'token', token: 't' } },
  { given: {}, asked: { kind: 'none' } },
])('$given is asked as $asked', async ({ given, asked }) => {
  const questions: AccessQuestion[] = []
  const access = createWatchAccess('hls', async (question) => questions.push(question))
  await access({ action: 'read', path: 'ann/cam', credentials: given, address: '192.0.2.1' })
  const request = { credentials: asked, remoteAddress: '192.0.2.1', protocol: 'hls' }
  expect(questions).toEqual([{ action: 'read', path: 'ann/cam', request }])
})

test('the refusal is told as it is', async () => {
  const access = createWatchAccess('hls', () => Promise.reject(new AppError('stream-not-found')))
  const question = { action: 'read', path: 'ann/cam', credentials: {}, address: '192.0.2.1' } as const
  await expect(access(question)).rejects.toMatchObject({ status: 404, code: 'stream-not-found' })
})
