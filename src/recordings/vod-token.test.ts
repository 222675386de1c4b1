import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createVodTokens, VOD_TOKEN_MS } from './vod-token.ts'

const ticket = {
  sourceId: '0190aaaa-0000-7000-8000-000000000001',
  viewer: 'token:0190bbbb-0000-7000-8000-000000000002',
}

test('a token says for which source and in whose name, for twelve hours', async () => {
  const clock = createFakeClock()
  const tokens = createVodTokens(createLinkSigner('secret'), clock)
  const token = tokens.issue(ticket)
  expect(token).toMatch(/^[\w:.~-]+$/)
  expect(tokens.read(token)).toEqual(ticket)
  await clock.advance(VOD_TOKEN_MS - 1_000)
  expect(tokens.read(token)).toEqual(ticket)
  await clock.advance(2_000)
  expect(tokens.read(token)).toBeUndefined()
})

test('nobody makes one up, or changes one', () => {
  const clock = createFakeClock()
  const tokens = createVodTokens(createLinkSigner('secret'), clock)
  const token = tokens.issue(ticket)
  const other = createVodTokens(createLinkSigner('another'), clock).issue(ticket)
  const changed = [
    '',
    '~~',
    'a~b~c',
    other,
    token.slice(0, -1),
    `${token}x`,
    token.replace('token:', ''),
    token.replace('000002', '000003'),
    token.replace('000001', '000009'),
    token.replace('~', '\n'),
    `${'x'.repeat(10_000)}~${token}`,
  ]
  expect(changed.map((one) => tokens.read(one))).toEqual(changed.map(() => undefined))
})
