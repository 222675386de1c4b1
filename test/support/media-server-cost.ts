import { expect } from 'vitest'
import { type AttackedService } from './attacked-service.ts'
import { childrenOf } from './child-processes.ts'
import { cpuMsOf } from './cpu-time.ts'
import { connectRtsp } from './rtsp-client.ts'

/** By the processor's time: how long something takes is also the doing of whatever else runs on the machine. */
export interface MediaServerCost {
  /** For which the media server worked in all. */
  readonly cpuMs: number
  /** For which it worked at most while somebody else waited for an answer. */
  readonly maxWaitCpuMs: number
}

export async function costOf(service: AttackedService, attack: () => Promise<void>): Promise<MediaServerCost> {
  const mediaServer = childrenOf(service.process.pid!, 'media-server')[0]!

  async function cpuUntilAnswer(): Promise<number> {
    const before = cpuMsOf(mediaServer)
    const client = await connectRtsp(Number(service.ready['rtsp_port']))
    expect((await client.request('OPTIONS', service.rtspUrl('bob/cam'))).status).toBe(200)
    client.close()
    return cpuMsOf(mediaServer) - before
  }

  const before = cpuMsOf(mediaServer)
  let isOver = false
  const attacked = attack().finally(() => (isOver = true))
  let maxWaitCpuMs = 0
  do maxWaitCpuMs = Math.max(maxWaitCpuMs, await cpuUntilAnswer())
  while (!isOver)
  await attacked
  maxWaitCpuMs = Math.max(maxWaitCpuMs, await cpuUntilAnswer())
  return { cpuMs: cpuMsOf(mediaServer) - before, maxWaitCpuMs }
}
