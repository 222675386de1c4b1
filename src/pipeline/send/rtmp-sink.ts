import { createRtmpPush } from '../../media/rtmp/client/push.ts'
import { dialAddress } from '../../outbound/dial.ts'
import { type OutboundRules } from '../../outbound/rules.ts'
import { type OnSinkState, type Sink } from './sink.ts'

/** Pushes to a user's own RTMP server for as long as it is attached, whatever that server does. `outbound`: what may be dialled for the owner. */
export function createRtmpSink(url: string, outbound: OutboundRules, onState: OnSinkState): Sink {
  // Publishing to our own media server needs a key there, so its ports are not closed to it.
  const rules: OutboundRules = { ...outbound, mediaPorts: [] }
  onState('connecting', null)
  const push = createRtmpPush({
    url,
    dial: (hostname, port) => dialAddress(hostname, port, rules),
    onState: (state, error) => onState(state === 'publishing' ? 'sending' : state, error ?? null),
  })
  return {
    write: (picture) => push.write(picture),
    close: () => push.close(),
  }
}
