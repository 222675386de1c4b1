import '../../av/polyfill.ts'
import { fileFault } from '../../av/file-fault.ts'
import { type Input, openInput } from '../../av/input.ts'
import { checkSampleClaims } from '../../av/sample-claims.ts'
import { dialAddress } from '../../outbound/dial.ts'
import { type ProbeReport, type ProbeRequest } from '../messages.ts'
import { openRtmpPull } from '../rtmp/client/pull.ts'
import { lookAtInput } from './look-at-input.ts'
import { lookAtRtsp } from './look-at-rtsp.ts'

/** Opens a file or a stream, decodes its first picture, watches it for a while and says what it is. */
export async function look(request: ProbeRequest): Promise<ProbeReport> {
  if (request.isLive && /^rtsps?:/i.test(request.input)) return lookAtRtsp(request)
  const startedAt = performance.now()
  if (!request.isLive) checkSampleClaims(request.input)
  const input = await open(request)
  try {
    return await lookAtInput(input, request, startedAt)
  } finally {
    await input.close()
  }
}

async function open({ input: url, isLive, outbound, timeoutMs }: ProbeRequest): Promise<Input> {
  if (!isLive)
    return openInput(url, { timeoutMs }).catch((error: unknown) => {
      throw new Error(fileFault(error), { cause: error })
    })
  if (!outbound) throw new Error('Our own media server is looked at by RTSP.')
  return openRtmpPull(url, { dial: (hostname, port) => dialAddress(hostname, port, outbound), timeoutMs })
}
