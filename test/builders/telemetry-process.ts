import { type ProcessStage, type Started } from './process-stage.ts'
import { until } from './until.ts'

/** A process of a live stream that has this telemetry. */
export async function startWithTelemetry(stage: ProcessStage, name: string, telemetryCfg: object): Promise<Started> {
  const { source_uuid: sourceId } = await stage.ask<{ source_uuid: string }>('POST', '/stream', {
    body: {
      alias: name,
      input_url: `rtsp://127.0.0.1:${stage.rtsp}/admin/${name}`,
      stream_type: 'rtsp',
      telemetry_cfg: telemetryCfg,
    },
  })
  stage.publish(name)
  const status = async () => (await stage.ask<{ status: string }>('GET', `/source/${sourceId}`)).status
  await until(async () => (await status()) === 'streaming', 30_000)
  return stage.start(sourceId)
}
