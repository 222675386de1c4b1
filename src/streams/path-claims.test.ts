import { expect, test } from 'vitest'
import { type AccessAnswer, type AccessQuestion } from '../media/messages.ts'
import { withClaims } from './path-claims.ts'

const question = (given: Partial<AccessQuestion> = {}): AccessQuestion => ({
  action: 'publish',
  path: 'ann/cam',
  request: { credentials: { kind: 'none' }, remoteAddress: '192.0.2.1', protocol: 'rtmp' },
  ...given,
})
const ann: AccessAnswer = { access: { principal: 'ann' } }

function setUp(answer: AccessAnswer, isFree = true) {
  const claimed: string[] = []
  const decide = withClaims(
    async () => answer,
    () => ({
      take: async (...claim) => (claimed.push(claim.join(' ')), isFree),
      unused: () => {},
    }),
  )
  return { decide, claimed }
}

test('a publisher that has the right to a path takes it among all nodes', async () => {
  const { decide, claimed } = setUp(ann)
  expect(await decide(question())).toEqual(ann)
  expect(claimed).toEqual(['ann/cam ann rtmp'])
})

test('where somebody else has it on another node, it is refused as on this one', async () => {
  const { decide } = setUp(ann, false)
  const sentence = 'Somebody else is publishing to ann/cam; stop that first, or choose another path.'
  expect(await decide(question())).toEqual({ refusal: { reason: 'path-in-use', sentence } })
})

test.each([
  ['readers', question({ action: 'read' }), ann],
  ['those who are asked about again', question({ isAgain: true }), ann],
  ['previews, which each node has of its own', question({ path: 'ann/cam/~preview' }), ann],
  ['relays', question(), { access: { principal: 'relay', isRelay: true } } as const],
  ['who is refused', question(), { refusal: { reason: 'forbidden', sentence: 'No.' } } as const],
])('%s take nothing', async (_who, asked, answer) => {
  const { decide, claimed } = setUp(answer, false)
  expect(await decide(asked)).toEqual(answer)
  expect(claimed).toEqual([])
})
