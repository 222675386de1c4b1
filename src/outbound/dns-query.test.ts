import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryDns } from './dns-query.ts'

/** RFC 1035 §4: knows camera.test, says nothing of names with `silent` in them, and that there is no other. */
const server = createSocket('udp4', (query, from) => {
  const text = query.toString('latin1')
  if (text.includes('silent')) return
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const isIpv4 = question.readUInt16BE(question.length - 4) === 1
  const isKnown = text.includes('camera')
  const answers = isKnown && isIpv4 ? ['c00c000100010000000a0004c0000201'] : []
  const head = `${isKnown ? '8180' : '8183'}0001000${answers.length}00000000`
  const parts = [query.subarray(0, 2), Buffer.from(head, 'hex'), question, Buffer.from(answers.join(''), 'hex')]
  server.send(Buffer.concat(parts), from.port, from.address)
})
beforeAll(async () => {
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

const ask = (name: string) => queryDns(name, [`127.0.0.1:${server.address().port}`])

test('a name that DNS knows is answered, one that it does not know is left to the system', async () => {
  expect(await ask('camera.test')).toEqual([{ address: '192.0.2.1', family: 4 }])
  expect(await ask('nobody.test')).toBeUndefined()
})

test('a name of which DNS says nothing is given up within seconds, and only local ones are left to the system', async () => {
  const [silent, local] = [ask('silent.test'), ask('silent.local')]
  await expect(silent).rejects.toThrow('ETIMEOUT')
  expect(await local).toBeUndefined()
})
