import { expect, test } from 'vitest'
import { whyNotHttpUrl } from './http-url.ts'

test.each([
  ['http://x', undefined],
  ['HTTPS://user:secret@example.org:8443/a?b=c', undefined],
  ['http://[::1]:80/', undefined],
  ['ftp://x', 'write a URL that begins with http:// or https://'],
  ['nowhere', 'write a URL that begins with http:// or https://'],
  ['http://', 'is not a URL'],
  ['http://a b/', 'is not a URL'],
])('%s: %s', (text, why) => expect(whyNotHttpUrl(text)).toBe(why))
