import { expect, test } from 'vitest'
import { whyNotHttpUrl } from './http-url.ts'

test.each([
  ['http://x', undefined],
  ['HTTPS://user:secret@example.org:8443/a?b=c', undefined],
  ['http://[::1]:80/', undefined],
  ['ftp://x', 'Write a URL that begins with http:// or https://, as in https://example.org/hook.'],
  ['nowhere', 'Write a URL that begins with http:// or https://, as in https://example.org/hook.'],
  ['http://', 'This is not a URL; write it as in https://example.org/hook.'],
  ['http://a b/', 'This is not a URL; write it as in https://example.org/hook.'],
])('%s: %s', (text, why) => expect(whyNotHttpUrl(text)).toBe(why))
