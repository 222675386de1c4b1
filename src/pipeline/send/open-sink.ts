import { grantedUrl } from '../../core/hub-path.ts'
import { type VideoTarget } from '../../core/video-output.ts'
import { type OutboundRules } from '../../outbound/rules.ts'
import { type HubPackets } from './hub-packets.ts'
import { createHubSink } from './hub-sink.ts'
import { createRecordingSink } from './recording-sink.ts'
import { createRtmpSink } from './rtmp-sink.ts'
import { type OnSinkState, type Sink } from './sink.ts'

/** Begins to send to a target. */
export type OpenSink = (target: VideoTarget, hubPackets: HubPackets, onState: OnSinkState) => Sink

/** `outbound`: what may be dialled for the owner of the process. */
export function createSinkOpener(outbound: OutboundRules): OpenSink {
  // Who publishes to our own media server by RTMP shows a key there, as everybody does.
  const toServers: OutboundRules = { ...outbound, mediaPorts: [] }
  return (target, hubPackets, onState) => {
    switch (target.kind) {
      case 'hub':
        return createHubSink(grantedUrl(target), hubPackets, onState)
      case 'rtmp':
        return createRtmpSink(target.url, toServers, onState)
      case 'recording':
        return createRecordingSink(target.folder, onState)
    }
  }
}
