import { type ProcessRig, type Started } from './process-rig.ts'
import { until } from './until.ts'

/** A process of a live stream that has this telemetry. */
export async function startWithTelemetry(rig: ProcessRig, name: string, telemetryCfg: object): Promise<Started> {
  const { source_uuid: sourceId } = await rig.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: name,
      input_url: `rtsp://127.0.0.1:${rig.rtsp}/admin/${name}`,
      stream_type: 'rtsp',
      telemetry_cfg: telemetryCfg,
    },
  })
  rig.publish(name)
  const status = async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status
  await until(async () => (await status()) === 'streaming', 30_000)
  return rig.start(sourceId)
}
