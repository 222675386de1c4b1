import { systemClock } from '../../core/clock.ts'
import { type DemoApi, DemoApiError } from './demo-api.ts'
import { type Receiver, WEBHOOK_PATH } from './receiver.ts'

/** What the steps find out and make, for those after them and for the last words. */
export interface DemoState {
  sourceId: string
  processId: string
  /** Where the processed video is played, for players that are no browser. */
  playUrl: string
  signInUrl: string
  receiver: Receiver | undefined
}

export const emptyState = (): DemoState => ({
  sourceId: '',
  processId: '',
  playUrl: '',
  signInUrl: '',
  receiver: undefined,
})

export interface DemoContext {
  readonly api: DemoApi
  /** Of the media server, without a path. */
  readonly rtspUrl: string
  readonly state: DemoState
  /** What the node of the process must have; none where there is one node. */
  readonly labels: readonly string[]
  /** Of the node whose console is opened. */
  readonly consoleApi: () => Promise<DemoApi>
  /** Begins to publish the clip. */
  readonly startCamera: () => void
  /** Where alert and webhook go, at this port if it is free. */
  readonly openReceiver: (port: number) => Promise<Receiver>
  readonly signal: AbortSignal
}

export interface DemoStep {
  readonly name: string
  readonly run: (context: DemoContext) => Promise<void>
}

/** Where the camera publishes. */
export const CAMERA_PATH = 'admin/demo'
const alert = {
  alias: 'Demo: people walking',
  type: 'filter-search',
  filter: { classes: ['person'] },
  trigger: { for_seconds: 1, cooldown_seconds: 20 },
}
const WEBHOOK_EVERY_SECONDS = 10
const PATIENCE_MS = 30_000

/** What the demo does with the service, in order. All of it can be done again on what the last run left. */
export const demoSteps: readonly DemoStep[] = [
  {
    name: 'registering a camera',
    async run({ api, rtspUrl, state }) {
      const source = await api.call<{ source_uuid: string }>('POST', '/stream', {
        alias: 'Demo: people walking',
        input_url: `${rtspUrl}/${CAMERA_PATH}`,
        stream_type: 'rtsp',
        telemetry_cfg: { type: 'static', format: 'native', parameters: clipPose },
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
    // Before there is a process, which would have to be launched anew to know of a change.
    name: 'setting an alert',
    async run({ api, state, openReceiver }) {
      const alerts = await api.call<Alert[]>('GET', '/alerts?limit=1000')
      const known = alerts.find(({ alias }) => alias === alert.alias)
      const knownUrl = known?.output[0]?.config.url
      const receiver = await openReceiver(knownUrl ? Number(new URL(knownUrl).port) : 0)
      const output = [{ type: 'webhook', config: { url: receiver.alertUrl } }]
      if (!known) await api.call('POST', '/alert', { ...alert, output })
      else if (knownUrl !== receiver.alertUrl) await api.call('PATCH', `/alert/${known.uuid}`, { output, force: true })
      state.receiver = receiver
    },
  },
  {
    name: 'starting a process',
    async run({ api, state, labels }) {
      const query = new URLSearchParams({ source_uuid: state.sourceId, classes: 'person' })
      if (labels.length > 0) query.set('labels', labels.join(','))
      // One of the last run may go on by itself.
      const live = await api.call<Process[]>('GET', '/processes?state=live')
      const known = live.find(({ source_uuid }) => source_uuid === state.sourceId)
      const process = known ?? (await api.call<Process>('POST', `/start?${query.toString()}`))
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
  {
    name: 'subscribing a webhook',
    async run({ api, state }) {
      const path = `/subscriptions/${state.processId}`
      // The secret of the last run's is known to nobody any more.
      for (const { notification_url } of await api.call<Subscription[]>('GET', path))
        if (notification_url.endsWith(WEBHOOK_PATH)) await api.call('DELETE', path, { notification_url })
      const { secret } = await api.call<{ secret: string }>('POST', `/subscribe/${state.processId}`, {
        notification_url: state.receiver!.webhookUrl,
        event_type: 'new-tracks',
        notification_format: 'full',
        notifier_policy_args: { backoff_seconds: WEBHOOK_EVERY_SECONDS },
      })
      state.receiver!.expectSecret(secret)
    },
  },
  {
    name: 'making a sign-in link',
    async run({ consoleApi, state }) {
      const api = await consoleApi()
      state.signInUrl = (await api.call<{ url: string }>('POST', '/session/code')).url
    },
  },
]

interface Source {
  readonly status: string
}

interface Alert {
  readonly uuid: string
  readonly alias: string
  readonly output: readonly { readonly config: { readonly url?: string } }[]
}

interface Subscription {
  readonly notification_url: string
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

/** The camera that took the clip stood here; docs/geolocation.md says how that is known. */
export const clipPose = {
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
