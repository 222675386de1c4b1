import { expect, test } from 'vitest'
import { serviceUrl } from './service-url.ts'

const tls = { certFile: 'cert.pem', keyFile: 'key.pem' }

test.each([
  [{ publicUrl: 'https://video.example.org', host: '0.0.0.0', tls: undefined }, /^https:\/\/video\.example\.org$/],
  [{ publicUrl: undefined, host: '192.0.2.7', tls: undefined }, /^http:\/\/192\.0\.2\.7:8080$/],
  [{ publicUrl: undefined, host: '2001:db8::7', tls }, /^https:\/\/\[2001:db8::7\]:8080$/],
  // Whatever this machine is called, and never the address that stands for all.
  [{ publicUrl: undefined, host: '0.0.0.0', tls: undefined }, /^http:\/\/(?!0\.0\.0\.0)[^/]+:8080$/],
])('%j is reached at %s', (settings, url) => {
  expect(serviceUrl(settings, 8080)).toMatch(url)
})
