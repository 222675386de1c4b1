import { sha256Of } from '../core/digest.ts'
import { type Destination } from '../core/outbound-message.ts'
import { readBrokerAddress } from './broker-address.ts'
import { type Output } from './output.schema.ts'

/**
 * What keeps its order: the notifications of one alert at one process to one destination. An output that is corrected is
 * another channel, so that nothing waits behind what the wrong address does not take.
 */
export function channelOf(alertId: string, processId: string, destination: Destination): string {
  const hash = sha256Of(JSON.stringify(partsOf(destination))).slice(0, 16)
  return `alert:${alertId}:${processId}:${hash}`
}

function partsOf(destination: Destination): readonly unknown[] {
  const { kind } = destination
  switch (kind) {
    case 'webhook':
      return [kind, destination.url, ...(destination.secret === undefined ? [] : [destination.secret])]
    case 'contact':
      return [kind, destination.contactId]
    case 'mqtt': {
      const { host, port, tls, topic, username, password } = destination
      return [kind, host, port, tls, topic, username, password]
    }
  }
}

/** Each with its channel; the same destination twice is one. */
export function destinationsOf(
  alertId: string,
  processId: string,
  outputs: readonly Output[],
): ReadonlyMap<string, Destination> {
  const destinations = outputs.map(toDestination)
  return new Map(destinations.map((destination) => [channelOf(alertId, processId, destination), destination]))
}

export function toDestination(output: Output): Destination {
  if (output.type === 'webhook') return { kind: 'webhook', ...output.config }
  if (output.type === 'contact') return { kind: 'contact', contactId: output.config.contact_uuid }
  const { host: text, topic, username, password, qos, retain } = output.config
  const address = readBrokerAddress(text)
  if ('problem' in address) throw new Error(`The address of a broker ${address.problem}.`)
  return {
    kind: 'mqtt',
    topic,
    qos,
    retain,
    ...address,
    // What stands in fields of its own is meant more than what stands in the address.
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  }
}
