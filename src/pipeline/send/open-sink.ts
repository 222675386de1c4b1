import { grantedUrl, type VideoTarget } from '../../core/video-output.ts'
import { type OutboundRules } from '../../outbound/rules.ts'
import { type HubPackets } from './hub-packets.ts'
import { createHubSink } from './hub-sink.ts'
import { createRecordingSink } from './recording-sink.ts'
import { createRtmpSink } from './rtmp-sink.ts'
import { type OnSinkState, type Sink } from './sink.ts'

/** Begins to send to a target. */
export type OpenSink = (target: VideoTarget, hubPackets: HubPackets, onState: OnSinkState) => Sink

/** What sinks may need beside their target. */
interface SinkContext {
  /** What may be dialled for the owner of the process. */
  readonly outbound: OutboundRules
  readonly hubPackets: HubPackets
  readonly onState: OnSinkState
}

type Targets = { readonly [Target in VideoTarget as Target['kind']]: Target }
type SinkKinds = { readonly [Kind in keyof Targets]: (target: Targets[Kind], context: SinkContext) => Sink }

/** A new kind of target is a sink of its own and a line here. */
const sinkKinds: SinkKinds = {
  hub: (target, { hubPackets, onState }) => createHubSink(grantedUrl(target), hubPackets, onState),
  rtmp: ({ url }, { outbound, onState }) => createRtmpSink(url, outbound, onState),
  recording: ({ folder }, { onState }) => createRecordingSink(folder, onState),
}

export function createSinkOpener(outbound: OutboundRules): OpenSink {
  return (target, hubPackets, onState) => open(target.kind, target, { outbound, hubPackets, onState })
}

function open<Kind extends keyof Targets>(kind: Kind, target: Targets[Kind], context: SinkContext): Sink {
  return sinkKinds[kind](target, context)
}
