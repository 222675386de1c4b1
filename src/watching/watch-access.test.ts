import { expect, test } from 'vitest'
import { AppError } from '../core/errors.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { createWatchAccess } from './watch-access.ts'

const refuse = () => Promise.reject(new AppError('stream-not-found'))

test.each([
  { given: { key: 'k' }, asked: { kind: 'key', key: 'k' } },
  { given: { token: 't' }, asked: { kind: 'token', token: 't' } },
  { given: {}, asked: { kind: 'none' } },
])('$given is asked as $asked', async ({ given, asked }) => {
  const questions: AccessQuestion[] = []
  const admit = async (question: AccessQuestion) => {
    questions.push(question)
    return { principal: 'ann' }
  }
  const access = createWatchAccess('hls', { admit })
  await access({ action: 'read', path: 'ann/cam', credentials: given, address: '192.0.2.1' })
  const request = { credentials: asked, remoteAddress: '192.0.2.1', protocol: 'hls' }
  expect(questions).toEqual([{ action: 'read', path: 'ann/cam', request, isAgain: false }])
})

test('the refusal is passed on as it is, and clients that were admitted before are checked otherwise', async () => {
  const access = createWatchAccess('hls', {
    admit: async ({ isAgain }) => (isAgain ? { principal: 'ann' } : refuse()),
  })
  const question = { action: 'read', path: 'ann/cam', credentials: {}, address: '192.0.2.1' } as const
  await expect(access(question)).rejects.toMatchObject({ status: 404, code: 'stream-not-found' })
  await access({ ...question, isAgain: true })
})
