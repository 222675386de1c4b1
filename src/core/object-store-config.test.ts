import { expect, test } from 'vitest'
import { parseBucketAddress } from './object-store-config.ts'

test.each([
  ['https://s3.example.org/videos', { origin: 'https://s3.example.org', bucket: 'videos', prefix: '' }],
  ['http://127.0.0.1:9000/videos/', { origin: 'http://127.0.0.1:9000', bucket: 'videos', prefix: '' }],
  [
    'https://s3.example.org/a-b.c/site/north',
    { origin: 'https://s3.example.org', bucket: 'a-b.c', prefix: 'site/north/' },
  ],
])('%s is a bucket', (text, address) => expect(parseBucketAddress(text)).toEqual(address))

test.each([
  'videos',
  's3://videos',
  'https://s3.example.org',
  'https://s3.example.org/',
  'https://s3.example.org/v',
  'https://key:secret@s3.example.org/videos',
  'https://s3.example.org/videos?region=x',
  'https://s3.example.org/videos#x',
  'https://s3.example.org/videos//a',
  'https://s3.example.org/videos/%2e%2e%2fa',
])('%s is none', (text) => expect(parseBucketAddress(text)).toBeUndefined())
