import { type RunningService } from '../../support/installation.ts'
import { createInstallation } from '../../support/service.ts'
import { httpRequests, KEY } from '../inputs/http-requests.ts'
import { UUID } from '../inputs/schema-example.ts'
import { randomOf } from '../random.ts'
import { checkStatuses, talk } from '../talk.ts'
import { type FuzzTarget } from '../target.ts'

const TIMES = { firstMs: 500, quietMs: 50, maxMs: 5_000 }
/** Behind everything: who gets its answer has been understood up to here. */
const LAST_REQUEST = Buffer.from('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')

/** The service as a user starts it: whatever comes, it stays up, and says nothing of 500 and above. */
export const http: FuzzTarget = {
  name: 'http',
  about: 'requests for every route to the running service, by TCP',
  counts: { short: 80, long: 10_000 },
  parallel: 4,
  async open() {
    const installation = createInstallation()
    const service = await installation.start()
    const ids = await register(service)
    return {
      create: httpRequests,
      async feed(input) {
        const { process: child } = service
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`The service has ended (${child.exitCode ?? child.signalCode}): ${service.stderr()}`)
        const bytes = Buffer.concat([withValues(input, installation.masterKey, ids), LAST_REQUEST])
        checkStatuses(await talk(Number(service.ready['http_port']), bytes, TIMES))
      },
      async settle() {
        const { status } = await service.call('GET', '/user_info')
        if (status !== 200) throw new Error(`The key is answered by ${status} now.`)
      },
      pids: () => [service.process.pid!],
      close: () => installation.remove(),
    }
  },
}

/** One of each kind that needs no stream. */
async function register(service: RunningService): Promise<string[]> {
  const add = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { body })
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(`POST ${path} was answered by ${answer.status}: ${text}`)
    return /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? ''
  }
  await add('/keys', { username: 'child', minutes: 0 })
  const rtsp = String(service.ready['rtsp_port'])
  const source = { alias: 'cam', input_url: `rtsp://127.0.0.1:${rtsp}/admin/cam`, stream_type: 'rtsp' }
  return Promise.all([add('/stream', source), add('/output', { alias: 'data', type: 'detection_data' })])
}

/** The same id, where an input has a place for one, whenever it is fed. */
function withValues(input: Buffer, key: string, ids: readonly string[]): Buffer {
  const random = randomOf(input)
  const text = input.toString('latin1').replaceAll(KEY, key)
  return Buffer.from(
    text.replaceAll(UUID, () => random.pick(ids)),
    'latin1',
  )
}
