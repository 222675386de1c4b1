import { z } from 'zod'
import { type MessageChannel } from '../core/message-channel.ts'

const Availability = z.enum(['online', 'offline']).describe('Retained; `offline` is also the last will.')

export const deliveryChannels: readonly MessageChannel[] = [
  {
    name: 'availability',
    protocol: 'mqtt',
    address: 'aerie/{instance_id}/availability/{connection}/{account_id}',
    title: 'Whether a connection to a broker is there',
    description:
      'Each connection speaks for itself: there is one for every address and login that the outputs of an account name.',
    parameters: {
      instance_id: 'Tells this installation from others, and stays the same.',
      connection: '`user@host:port` or `host:port`, as the output names them; the user is written as in URLs.',
      account_id: 'Tells accounts that use the same login from each other, and stays the same.',
    },
    action: 'send',
    messages: [{ name: 'availability', summary: 'There, or not', payload: Availability, contentType: 'text/plain' }],
  },
]
