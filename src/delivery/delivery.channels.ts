import { z } from 'zod'
import { type MessageChannel } from '../core/message-channel.ts'

const Availability = z.enum(['online', 'offline']).describe('Retained; `offline` is also the last will.')

export const deliveryChannels: readonly MessageChannel[] = [
  {
    name: 'availability',
    protocol: 'mqtt',
    address: 'aerie/{instance_id}/availability/{connection}',
    title: 'Whether a connection to a broker is there',
    description: 'Each connection speaks for itself: there is one for every address and login that outputs name.',
    parameters: {
      instance_id: 'Tells this installation from others, and stays the same.',
      connection: '`user@host:port` or `host:port`, as the output names them; the user is written as in URLs.',
    },
    action: 'send',
    messages: [{ name: 'availability', summary: 'There, or not', payload: Availability, contentType: 'text/plain' }],
  },
]
