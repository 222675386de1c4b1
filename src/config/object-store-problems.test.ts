import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'
import { exampleConfig } from './example.ts'

const URL_KEY_SECRET = {
  AERIE_OBJECT_STORE_URL: 'https://s3.example.org/videos/north',
  AERIE_OBJECT_STORE_KEY: 'AKIAEXAMPLE',
  AERIE_OBJECT_STORE_SECRET: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLE',
}

test('without any of them there is no object store', () => expect(loadConfig({}).objectStore).toBeUndefined())

test('with the three that are needed there is one', () => {
  expect(loadConfig(URL_KEY_SECRET).objectStore).toEqual({
    origin: 'https://s3.example.org',
    bucket: 'videos',
    prefix: 'north/',
    region: 'us-east-1',
    accessKey: 'AKIAEXAMPLE',
    secret: URL_KEY_SECRET.AERIE_OBJECT_STORE_SECRET,
    links: 'proxied',
    keepLocalMs: 24 * 3_600_000,
  })
  const further = {
    AERIE_OBJECT_STORE_REGION: 'eu-central-1',
    AERIE_OBJECT_STORE_LINKS: 'presigned',
    AERIE_OBJECT_STORE_KEEP_LOCAL: '0',
  }
  expect(loadConfig({ ...URL_KEY_SECRET, ...further }).objectStore).toMatchObject({
    region: 'eu-central-1',
    links: 'presigned',
    keepLocalMs: 0,
  })
})

test.each([
  ['AERIE_OBJECT_STORE_URL', 'AERIE_OBJECT_STORE_KEY: an object store needs AERIE_OBJECT_STORE_URL too'],
  ['AERIE_OBJECT_STORE_SECRET', 'AERIE_OBJECT_STORE_URL: an object store needs AERIE_OBJECT_STORE_SECRET too'],
])('without %s the rest is refused', (name, sentence) => {
  expect(() => loadConfig({ ...URL_KEY_SECRET, [name]: '' })).toThrow(sentence)
})

test('one that is optional alone is refused', () => {
  expect(() => loadConfig({ AERIE_OBJECT_STORE_LINKS: 'presigned' })).toThrow(
    'AERIE_OBJECT_STORE_LINKS: an object store needs AERIE_OBJECT_STORE_URL and AERIE_OBJECT_STORE_KEY and AERIE_OBJECT_STORE_SECRET too',
  )
})

test.each([
  ['AERIE_OBJECT_STORE_URL', 's3://videos', 'an address such as'],
  ['AERIE_OBJECT_STORE_LINKS', 'direct', 'AERIE_OBJECT_STORE_LINKS'],
  ['AERIE_OBJECT_STORE_KEEP_LOCAL', '-1', 'AERIE_OBJECT_STORE_KEEP_LOCAL'],
  ['AERIE_OBJECT_STORE_REGION', 'eu central', 'a region such as'],
])('%s=%s is a wrong setting', (name, value, sentence) => {
  expect(() => loadConfig({ ...URL_KEY_SECRET, [name]: value })).toThrow(sentence)
})

test('a wrong secret is never repeated, and neither is a wrong key', () => {
  for (const name of ['AERIE_OBJECT_STORE_KEY', 'AERIE_OBJECT_STORE_SECRET'])
    expect(() => loadConfig({ ...URL_KEY_SECRET, [name]: 'hunter 2' })).toThrow(
      new RegExp(`^(?!.*hunter).*${name}`, 's'),
    )
})

test('all of them stand in the example', () => {
  for (const name of ['URL', 'REGION', 'KEY', 'SECRET', 'LINKS', 'KEEP_LOCAL'])
    expect(exampleConfig()).toContain(`# AERIE_OBJECT_STORE_${name}:`)
})
