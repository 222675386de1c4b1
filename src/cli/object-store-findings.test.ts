import { expect, test } from 'vitest'
import { objectStoreFindings, type ObjectStoreFacts } from './object-store-findings.ts'

const config = { origin: 'https://s3.example.org', bucket: 'videos', prefix: 'north/', links: 'proxied' } as const
const well = { problem: null, skewMs: 200 }

test('without a store there is nothing to say', () => expect(objectStoreFindings(undefined)).toEqual([]))

test.each<[string, ObjectStoreFacts, string, RegExp]>([
  [
    'all is well',
    { config, bucket: well },
    'ok',
    /^https:\/\/s3\.example\.org\/videos\/north\/ can be written and read\. .* through/,
  ],
  ['links', { config: { ...config, links: 'presigned' }, bucket: well }, 'ok', /Clients are sent there with links/],
  ['a problem', { config, bucket: { problem: 'It is full.', skewMs: 0 } }, 'warn', /^It is full\.$/],
  ['no key here', { config, bucket: null }, 'note', /the key is not in the settings of this shell/],
  ['its clock is ahead', { config, bucket: { problem: null, skewMs: 300_000 } }, 'note', /is 5 min ahead of ours/],
  ['its clock is behind', { config, bucket: { problem: null, skewMs: -600_000 } }, 'note', /is 10 min behind ours/],
  ['plain text', { config: { ...config, origin: 'http://10.0.0.7' }, bucket: well }, 'note', /travels unencrypted/],
])('%s', (_name, facts, level, sentence) => {
  expect(objectStoreFindings(facts)).toContainEqual(
    expect.objectContaining({ level, sentence: expect.stringMatching(sentence) }),
  )
})

test('plain text on this machine is no finding', () => {
  expect(objectStoreFindings({ config: { ...config, origin: 'http://127.0.0.1:9000' }, bucket: well })).toHaveLength(1)
})
