import { expect, test } from 'vitest'
import { type AccessAnswer, type AccessQuestion } from '../media/messages.ts'
import { createWatchAccess } from './watch-access.ts'

test.each([
  { given: { key: 'k' }, asked: { kind: 'key', key: 'k' } },
  { given: { token: 't' }, asked: { kind: 'token', token: 't' } },
  { given: {}, asked: { kind: 'none' } },
])('$given is asked as $asked', async ({ given, asked }) => {
  const questions: AccessQuestion[] = []
  const access = createWatchAccess('hls', async (question) => {
    questions.push(question)
    return { access: { principal: 'x' } }
  })
  await access.mayRead('ann/cam', given, '192.0.2.1')
  const request = { credentials: asked, remoteAddress: '192.0.2.1', protocol: 'hls' }
  expect(questions).toEqual([{ action: 'read', path: 'ann/cam', request }])
})

test.each([
  { reason: 'credentials-needed', code: 'api-key-missing' },
  { reason: 'forbidden', code: 'watching-refused' },
] as const)('$reason is answered with $code', async ({ reason, code }) => {
  const answer: AccessAnswer = { refusal: { reason, sentence: 'Use a path of your own.' } }
  const access = createWatchAccess('hls', async () => answer)
  await expect(access.mayRead('ann/cam', {}, '192.0.2.1')).rejects.toMatchObject({ status: 403, code })
})
