import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type Duplex } from 'node:stream'
import { AppError } from '../core/errors.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type Tunnels } from './tunnel/tunnels.ts'

/** From the request to the first of its answer. */
const ANSWER_WITHIN_MS = 10_000
const RETRY_AFTER_SECONDS = 2
/** Who asks is this node itself. */
const CLIENT = { address: '127.0.0.1', isEncrypted: true }

export function createNodeFiles({ openTunnel }: Pick<Tunnels, 'openTunnel'>): NodeFiles {
  return {
    async open(nodeId, path, signal) {
      const tunnel = await openTunnel(nodeId, CLIENT)
      try {
        signal.throwIfAborted()
        const response = await askFor(path, tunnel, signal)
        if (response.statusCode === 200) return response
        response.destroy()
        if (response.statusCode === 404) return undefined
        throw new Error(`It answered ${response.statusCode}.`)
      } catch (error) {
        tunnel.destroy()
        signal.throwIfAborted()
        const options = { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS }
        throw new AppError('node-unreachable', { node: nodeId, retry_after_seconds: RETRY_AFTER_SECONDS }, options)
      }
    },
  }
}

function askFor(path: string, tunnel: Duplex, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ path, headers: { host: 'localhost' }, createConnection: () => tunnel, signal })
    const deadline = setTimeout(() => request.destroy(new Error('It did not answer.')), ANSWER_WITHIN_MS)
    request.once('close', () => clearTimeout(deadline))
    // Also of what breaks off later, of which the answer's reader learns from the answer.
    request.on('error', reject)
    request.once('response', (response) => {
      clearTimeout(deadline)
      response.once('close', () => request.destroy())
      resolve(response)
    })
    request.end()
  })
}
