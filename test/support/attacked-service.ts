import { type Installation, type RunningService } from './installation.ts'
import { createInstallation } from './service.ts'

/** The real service with its defaults and two child keys of one master, as the attacks in `test/attacks` find it. */
export interface AttackedService extends RunningService {
  readonly installation: Installation
  /** Who attacks. */
  readonly mallory: string
  /** Whose things are attacked. */
  readonly bob: string
  /** Addresses of the media server, without credentials. */
  readonly rtspUrl: (path: string) => string
  readonly rtmpUrl: (path: string) => string
}

export async function startAttacked(settings: Record<string, string> = {}): Promise<AttackedService> {
  const installation = createInstallation()
  const service = await installation.start(settings)
  const [mallory, bob] = await Promise.all([createChild(service, 'mallory'), createChild(service, 'bob')])
  return {
    ...service,
    installation,
    mallory,
    bob,
    rtspUrl: (path) => `rtsp://127.0.0.1:${String(service.ready['rtsp_port'])}/${path}`,
    rtmpUrl: (path) => `rtmp://127.0.0.1:${String(service.ready['rtmp_port'])}/${path}`,
  }
}

/** A child key of the master; answers the key. */
export async function createChild(
  service: RunningService,
  username: string,
  rights: Record<string, unknown> = {},
): Promise<string> {
  const answer = await service.call('POST', '/keys', { body: { username, minutes: 60, ...rights } })
  if (answer.status !== 201) throw new Error(`${username}: ${await answer.text()}`)
  return ((await answer.json()) as { key: string }).key
}
