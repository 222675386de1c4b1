import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openUdpPort, tryUdpPort } from './udp-port.ts'

const host = '127.0.0.1'

test('a port that another program has is refused, and the process lives on', async () => {
  const other = createSocket('udp4').bind(0, host)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address()
  await expect(openUdpPort({ host, port, bindAddress: host })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test.each(['127.0.0.1', '0.0.0.0', '::'])(
  'a free port of %s is found, and nobody else gets it while it is open',
  async (address) => {
    const bindAddress = address === host ? host : undefined
    const opened = await openUdpPort({ host: address, port: 0, bindAddress })
    onTestFinished(() => opened.close())
    expect(opened.port).toBeGreaterThan(0)
    await expect(tryUdpPort(host, opened.port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)
