import { systemClock } from '../../core/clock.ts'
import { type DemoApi, DemoApiError } from './demo-api.ts'

/** What the steps find out and make, for those after them and for the last words. */
export interface DemoState {
  sourceId: string
  processId: string
  /** Where the processed video is played, for players that are no browser. */
  playUrl: string
  signInUrl: string
}

export interface DemoContext {
  readonly api: DemoApi
  readonly rtspPort: number
  readonly state: DemoState
  /** Begins to publish the clip. */
  readonly startCamera: () => void
  readonly signal: AbortSignal
}

export interface DemoStep {
  readonly name: string
  readonly run: (context: DemoContext) => Promise<void>
}

/** The camera that took the clip stood here; docs/geolocation.md says how that is known. */
const pose = {
  latitude: 51.44162,
  longitude: -0.94562,
  altitude: 67.104,
  rel_altitude: 7.104,
  camera_pitch: -16.977,
  camera_yaw: 57.126,
  camera_roll: 2.381,
  sensor_hfov: 36.28,
  sensor_vfov: 27.61,
}
const PATH = 'admin/demo'
const PATIENCE_MS = 30_000

/** What the demo does with the service, in order. All of it can be done again on what the last run left. */
export const demoSteps: readonly DemoStep[] = [
  {
    name: 'registering a camera',
    async run({ api, rtspPort, state }) {
      const source = await api.call<{ source_uuid: string }>('POST', '/stream', {
        alias: 'Demo: people walking',
        input_url: `rtsp://localhost:${rtspPort}/${PATH}`,
        stream_type: 'rtsp',
        telemetry_cfg: { type: 'static', format: 'native', parameters: pose },
      })
      state.sourceId = source.source_uuid
    },
  },
  {
    name: 'publishing the clip in a loop',
    async run({ api, state, startCamera, signal }) {
      startCamera()
      const isLive = async () =>
        ['streaming', 'processing'].includes((await api.call<Source>('GET', `/source/${state.sourceId}`)).status)
      await until(isLive, 'The clip does not arrive at the media server.', signal)
    },
  },
  {
    name: 'starting a process',
    async run({ api, state }) {
      // One of the last run may go on by itself.
      const live = await api.call<Process[]>('GET', '/processes?state=live')
      const known = live.find(({ source_uuid }) => source_uuid === state.sourceId)
      const process = known ?? (await api.call<Process>('POST', `/start?source_uuid=${state.sourceId}`))
      state.processId = process.process_uuid
      if (known?.state === 'paused') await api.call('POST', `/process/${state.processId}/resume`)
    },
  },
  {
    name: 'sending the processed video on',
    async run({ api, state }) {
      const output = { alias: 'Demo: processed', type: 'rtsp', url: 'rtsp://demo-processed', settings: null }
      const { output_uuid } = await api.call<{ output_uuid: string }>('POST', '/output', output)
      const attach = () => api.call<{ url: string }>('POST', `/process/${state.processId}/${output_uuid}`)
      state.playUrl = (await attach().catch(unlessAttached))?.url ?? ''
    },
  },
  // An alert, and a webhook to a receiver of the demo's own, belong here.
  {
    name: 'making a sign-in link',
    async run({ api, state }) {
      state.signInUrl = (await api.call<{ url: string }>('POST', '/session/code')).url
    },
  },
]

interface Source {
  readonly status: string
}

interface Process {
  readonly process_uuid: string
  readonly source_uuid: string
  readonly state?: string
}

async function until(isTrue: () => Promise<boolean>, otherwise: string, signal: AbortSignal): Promise<void> {
  const deadline = systemClock.steady() + PATIENCE_MS
  while (!(await isTrue())) {
    signal.throwIfAborted()
    if (systemClock.steady() > deadline) throw new Error(otherwise)
    await systemClock.sleep(100, signal)
  }
}

function unlessAttached(error: unknown): undefined {
  if (!(error instanceof DemoApiError && error.code === 'output-attached')) throw error
}
