import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { bindUdpPair, createUdpPorts, type UdpPair, type UdpPairOptions } from './udp-pair.ts'

const toClose: { close(): void }[] = []
afterEach(() => toClose.splice(0).forEach((one) => one.close()))

async function createClient(address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4')
  toClose.push(socket)
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}

async function createPair(options: Partial<UdpPairOptions>): Promise<UdpPair> {
  const pair = await bindUdpPair({
    localAddress: '127.0.0.1',
    peerAddress: '127.0.0.1',
    peerPorts: [9, 9],
    onRtp: () => {},
    onRtcp: () => {},
    ...options,
  })
  toClose.push(pair)
  return pair
}

test('RTP is on an even port and RTCP on the next', async () => {
  const { ports } = await createPair({})
  expect(ports[0] % 2).toBe(0)
  expect(ports[1]).toBe(ports[0] + 1)
})

test('ports are taken from the range, until there are none', async () => {
  const { ports } = await createPair({})
  toClose.pop()!.close()
  const again = await createPair({ portRange: ports })
  expect(again.ports).toEqual(ports)
  await expect(createPair({ portRange: ports })).rejects.toThrow('EADDRINUSE')
})

test('data goes to the named ports, and comes from there', async () => {
  const client = await createClient()
  const received: string[] = []
  let heard = () => {}
  const all = new Promise<void>((resolve) => (heard = resolve))
  const pair = await createPair({
    peerPorts: [client.address().port, client.address().port],
    onRtp: (data) => void received.push(`rtp ${data.toString()}`),
    onRtcp: (data) => {
      received.push(`rtcp ${data.toString()}`)
      heard()
    },
  })
  pair.sendRtp(Buffer.from('hello'))
  const [message] = (await once(client, 'message')) as [Buffer]
  expect(message.toString()).toBe('hello')
  client.send('one', pair.ports[0], '127.0.0.1')
  client.send('two', pair.ports[1], '127.0.0.1')
  await all
  expect(received).toEqual(['rtp one', 'rtcp two'])
})

test('who else is at the address of a client hears nothing, and is not heard', async () => {
  const [client, stranger] = [await createClient(), await createClient()]
  const received: string[] = []
  let heard = () => {}
  const first = new Promise<void>((resolve) => (heard = resolve))
  const pair = await createPair({
    peerPorts: [client.address().port, client.address().port],
    onRtp: (data) => {
      received.push(data.toString())
      heard()
    },
  })
  stranger.once('message', () => received.push('the stranger hears'))
  stranger.send('stranger', pair.ports[0], '127.0.0.1')
  client.send('client', pair.ports[0], '127.0.0.1')
  await first
  pair.sendRtp(Buffer.from('picture'))
  await once(client, 'message')
  expect(received).toEqual(['client'])
})

test('a camera that names no port, or sends from another, is taken from where it sends first', async () => {
  const [client, stranger] = [await createClient(), await createClient()]
  const received: string[] = []
  let heard = () => {}
  const pair = await createPair({
    peerPorts: undefined,
    onRtp: (data) => {
      received.push(data.toString())
      heard()
    },
  })
  const next = () => new Promise<void>((resolve) => (heard = resolve))
  let message = next()
  client.send('first', pair.ports[0], '127.0.0.1')
  await message
  message = next()
  stranger.send('stranger', pair.ports[0], '127.0.0.1')
  client.send('second', pair.ports[0], '127.0.0.1')
  await message
  expect(received).toEqual(['first', 'second'])
  pair.sendRtp(Buffer.from('back'))
  await once(client, 'message')
})

test('another host is not listened to', async () => {
  const [client, elsewhere] = [await createClient('127.0.0.1'), await createClient('127.0.0.2')]
  let heard: (text: string) => void = () => {}
  const first = new Promise<string>((resolve) => (heard = resolve))
  const pair = await createPair({ peerPorts: undefined, onRtp: (data) => heard(data.toString()) })
  elsewhere.send('from elsewhere', pair.ports[0], '127.0.0.1')
  client.send('from the client', pair.ports[0], '127.0.0.1')
  expect(await first).toBe('from the client')
})

test('nothing is sent until the peer’s ports are known, by its word or by what came from it', async () => {
  const peer = await createClient()
  const pair = await createPair({ peerPorts: undefined })
  pair.sendRtp(Buffer.from('nowhere'))
  pair.setPeerPorts([peer.address().port, peer.address().port])
  pair.sendRtp(Buffer.from('there'))
  const [message] = (await once(peer, 'message')) as [Buffer]
  expect(message.toString()).toBe('there')
})

test('sending after closing does nothing', async () => {
  const pair = await createPair({})
  pair.close()
  pair.close()
  expect(() => pair.sendRtp(Buffer.from('x'))).not.toThrow()
})

test('no more pairs are handed out than allowed, and closed ones count no more', async () => {
  const ports = createUdpPorts({ maxPairs: 1, maxPairsPerAccount: 1 })
  const options = { localAddress: '127.0.0.1', peerAddress: '127.0.0.1', onRtp: () => {}, onRtcp: () => {} }
  const first = await ports.take('ann', { ...options, peerPorts: [9, 9] })
  expect(await ports.take('ann', { ...options, peerPorts: [9, 9] })).toBeUndefined()
  first!.close()
  first!.close()
  const second = await ports.take('ann', { ...options, peerPorts: [9, 9] })
  expect(second).toBeDefined()
  expect(await ports.take('ann', { ...options, peerPorts: [9, 9] })).toBeUndefined()
  second!.close()
})

test('one account has its share, and the rest is for others', async () => {
  const ports = createUdpPorts({ maxPairs: 3, maxPairsPerAccount: 2 })
  const options = { localAddress: '127.0.0.1', peerAddress: '127.0.0.1', onRtp: () => {}, onRtcp: () => {} }
  const taken = []
  for (const account of ['ann', 'ann', 'ann', 'bob', 'bob']) taken.push(await ports.take(account, options))
  expect(taken.map((pair) => pair !== undefined)).toEqual([true, true, false, true, false])
  taken[0]!.close()
  const again = await ports.take('ann', options)
  expect(again).toBeDefined()
  for (const pair of [...taken.slice(1), again]) pair?.close()
})
