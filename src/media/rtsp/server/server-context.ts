import { type ProtocolServerOptions } from '../../protocol-server.ts'
import { type WaitingBytes } from '../../waiting-bytes.ts'
import { type RefusalLog } from '../../../observe/refusal-log.ts'
import { type FanOut } from './fan-out.ts'
import { type RtspLimits, type RtspTimeouts } from './limits.ts'
import { type UdpPorts } from '../wire/udp-pair.ts'

/** What all connections of a server share. */
export interface ServerContext extends Pick<ProtocolServerOptions, 'hub' | 'log'> {
  readonly refusals: RefusalLog
  readonly limits: RtspLimits
  readonly timeouts: RtspTimeouts
  readonly now: () => number
  readonly fanOut: FanOut
  readonly udpPorts: UdpPorts
  readonly waitingBytes: WaitingBytes
}
