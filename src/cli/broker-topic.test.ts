import { expect, test } from 'vitest'
import { parseBrokerTopic } from './broker-topic.ts'
import { UsageError } from './command.ts'

test.each([
  ['mqtt://broker/drone/1', { hostname: 'broker', port: 1883, isTls: false, topic: 'drone/1', credentials: {} }],
  ['mqtts://broker/a', { hostname: 'broker', port: 8883, isTls: true, topic: 'a', credentials: {} }],
  ['mqtt://[::1]:1884/a%20b', { hostname: '[::1]', port: 1884, isTls: false, topic: 'a b', credentials: {} }],
  ['mqtt://ann:p%40ss@broker/a', { topic: 'a', credentials: { username: 'ann', password: 'p@ss' } }],
])('%s is understood', (address, topic) => expect(parseBrokerTopic(address, '--mqtt')).toMatchObject(topic))

test.each([
  'broker/drone',
  'http://broker/drone',
  'mqtt://broker',
  'mqtt://broker/',
  'mqtt:///drone',
  'mqtt://broker/%',
])('%s is refused in a sentence that shows a right one', (address) => {
  const parse = () => parseBrokerTopic(address, '--mqtt')
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow('--mqtt must be like mqtt://host:1883/drone/1/telemetry')
})
