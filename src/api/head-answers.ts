import { Readable } from 'node:stream'
import { type FastifyInstance } from 'fastify'

/**
 * A HEAD is answered without a body. What would make one is ended: Fastify would have it made to its end, as fast as it can be, while the
 * client has its answer and asks again, beyond all bounds that end with an answer.
 */
export function addHeadAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method }, _reply, payload) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return payload
    // Some say that they were ended before their time.
    payload.on('error', () => {}).destroy()
    return Readable.from([])
  })
}
