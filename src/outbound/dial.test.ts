import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { dialAddress } from './dial.ts'
import { OPERATOR_RULES } from './rules.ts'

const rules = { ...OPERATOR_RULES, deny: ['10.0.0.0/8'] }

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['[::1]', '::1'],
  ['::1', '::1'],
])('%s is dialled as it stands', async (host, dialled) => {
  expect(await dialAddress(host, 554, rules)).toBe(dialled)
})

test('of a name the address that was checked is dialled', async () => {
  expect(await dialAddress('localhost', 554, rules)).toMatch(/^(127\.0\.0\.1|::1)$/)
})

test.each(['10.1.2.3', '169.254.169.254', '0.0.0.0', '[fe80::1]'])('%s may not be called', async (host) => {
  await expect(dialAddress(host, 554, rules)).rejects.toMatchObject({
    name: 'HostRefused',
    denial: 'denied',
    message: expect.stringContaining('AERIE_OUTBOUND_DENY') as string,
  })
})

test('what the operator allows may be called all the same', async () => {
  expect(await dialAddress('10.1.2.3', 554, { ...rules, allow: ['10.1.2.0/24'] })).toBe('10.1.2.3')
})

test('a name that leads to our own media server is not dialled, whichever of its addresses it has', async () => {
  const own = async () => [{ address: '127.0.0.1', family: 4 }]
  const failure = dialAddress('camera.example', 8554, { ...rules, mediaPorts: [8554] }, own)
  await expect(failure).rejects.toMatchObject({ denial: 'own-media' })
})

test('a host that is not there is reported, and may be there later', async () => {
  const failure = await dialAddress('no-such-host.invalid', 554, rules).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    name: 'HostRefused',
    denial: undefined,
    message: 'There is no host no-such-host.invalid.',
  })
  await expect(dialAddress('no-such-host.invalid.', 554, rules)).rejects.toThrow(/invalid\.$/)
  await expect(dialAddress('no-such-host.invalid.', 554, rules)).rejects.not.toThrow(/\.\.$/)
})

test('of a name’s addresses the first at which somebody listens is dialled, and none that may not be', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.3', resolve))
  const { port } = server.address() as AddressInfo
  const addresses = ['10.0.0.1', '127.0.0.2', '127.0.0.3'].map((address) => ({ address, family: 4 }))
  expect(await dialAddress('camera.example', port, rules, async () => addresses)).toBe('127.0.0.3')
  await new Promise((resolve) => server.close(resolve))
  expect(await dialAddress('camera.example', port, rules, async () => addresses)).toBe('127.0.0.2')
})
