import { describe, expect, test } from 'vitest'
import { createSelfSigned } from '../../test/builders/self-signed.ts'
import { type Certificate } from '../core/certificate.ts'
import { contradictionIn, createKnownHosts, hostNameOf } from './known-hosts.ts'

describe('the name in a Host header', () => {
  test.each([
    ['localhost', 'localhost'],
    ['LocalHost.:8080', 'localhost'],
    ['cam_server.lan:1', 'cam_server.lan'],
    ['127.0.0.1:8080', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['[::1]:8080', '::1'],
    ['[0:0::1]', '::1'],
    ['', undefined],
    ['[', undefined],
    ['[::1', undefined],
    ['[fe80::1%eth0]', undefined],
    ['localhost:99999', undefined],
    ['localhost:', undefined],
    ['user@localhost', undefined],
    ['localhost/path', undefined],
    ['localhost?x', undefined],
    ['1.2.3.4.5', undefined],
    ['ä.example', undefined],
  ])('%s: %s', (header, name) => expect(hostNameOf(header)).toBe(name))
})

describe('which hosts are ours', () => {
  const plain = { host: '0.0.0.0', hosts: [], publicUrl: undefined, certificate: undefined }
  const own = {
    host: 'Bound-Here',
    hosts: ['Cam-Server', 'video.example.org'],
    publicUrl: 'https://Aerie.example.org:444/below',
    certificate: { current: createSelfSigned('*.tls.example.org'), onChange: () => {} },
  }

  test.each([
    ['any address', plain, ['127.0.0.1', '203.0.113.9', '::1', 'fe80::1'], true],
    ['localhost', plain, ['localhost', 'aerie.localhost'], true],
    ['the machine', plain, ['roof.lan', 'roof', 'roof.local'], true],
    [
      'another',
      plain,
      ['evil.example', 'notlocalhost', 'localhost.evil.example', 'roof.evil.example', 'lan', ''],
      false,
    ],
    ['what the operator named', own, ['bound-here', 'cam-server', 'video.example.org', 'aerie.example.org'], true],
    ['a host of the certificate', own, ['a.tls.example.org'], true],
    ['one beside those', own, ['a.video.example.org', 'example.org', 'a.b.tls.example.org', 'tls.example.org'], false],
  ])('%s', (_name, options, names, expected) => {
    const isKnown = createKnownHosts(options, 'Roof.lan')
    for (const name of names) expect(isKnown(name), name).toBe(expected)
  })
})

test('with a renewed certificate its hosts are ours, and those of the old one no more', () => {
  let renew: (certificate: Certificate) => void = () => {}
  const certificate = {
    current: createSelfSigned('old.example.org'),
    onChange: (listener: typeof renew) => (renew = listener),
  }
  const isKnown = createKnownHosts({ host: '0.0.0.0', hosts: [], publicUrl: undefined, certificate }, 'roof')
  expect(['old.example.org', 'new.example.org'].map(isKnown)).toEqual([true, false])
  renew(createSelfSigned('new.example.org'))
  expect(['old.example.org', 'new.example.org'].map(isKnown)).toEqual([false, true])
})

test.each([
  ['one host', '/status', ['localhost'], undefined],
  ['none', '/status', [], 'no Host'],
  ['two hosts', '/status', ['localhost', 'evil.example'], 'more than one Host'],
  ['the same host twice', '/status', ['localhost', 'localhost'], 'more than one Host'],
  ['an address of the same host', 'http://LOCALHOST:8080/status', ['localhost'], undefined],
  ['an address of another host', 'http://evil.example/status', ['localhost'], 'another host than Host'],
  ['one without a path', 'http://evil.example?x', ['localhost'], 'another host than Host'],
  ['one that only looks like it', 'http://localhost@evil.example/', ['localhost'], 'another host than Host'],
  ['one of another scheme', 'gopher://evil.example/', ['localhost'], 'another host than Host'],
  ['an address within a path', '/status?next=http://evil.example/', ['localhost'], undefined],
])('%s in a request', (_name, url, hosts, reason) => {
  const rawHeaders = ['Accept', 'host', ...hosts.flatMap((host) => ['HOST', host])]
  const [host] = hosts
  const said = contradictionIn({ rawHeaders, url, httpVersion: '1.1', headers: host === undefined ? {} : { host } })
  if (reason === undefined) expect(said).toBeUndefined()
  else expect(said).toContain(reason)
})

test('HTTP before 1.1 had no Host', () => {
  const request = { rawHeaders: [], url: '/healthz', headers: {} }
  expect(contradictionIn({ ...request, httpVersion: '1.0' })).toBeUndefined()
})
