import { type VideoTarget } from '../../core/video-output.ts'
import { type OpenSink } from './open-sink.ts'
import { type OnSinkState, type Sink } from './sink.ts'

const HELD =
  'Nothing is sent: this node does not reach the database of the service, and another one may be sending by now. It goes on by itself.'

/** Opens sinks, and keeps those that lead to somebody's server closed for as long as another node may be sending there. */
export interface HeldSinks {
  readonly openSink: OpenSink
  setHeld(isHeld: boolean): void
}

export function createHeldSinks(openSink: OpenSink, initiallyHeld: boolean): HeldSinks {
  const held = new Set<HeldSink>()
  let isHeld = initiallyHeld
  return {
    openSink(target, hubPackets, onState) {
      if (!isElsewhere(target)) return openSink(target, hubPackets, onState)
      const sink = createHeldSink((report) => openSink(target, hubPackets, report), onState, isHeld)
      held.add(sink)
      return {
        write: (picture) => sink.write(picture),
        close() {
          held.delete(sink)
          return sink.close()
        },
      }
    },
    setHeld(wanted) {
      if (wanted === isHeld) return
      isHeld = wanted
      for (const sink of held) sink.setHeld(wanted)
    },
  }
}

/** What our own media server has, and what is kept on this disk, is of this node alone. */
const isElsewhere = ({ kind }: VideoTarget) => kind === 'rtmp'

interface HeldSink extends Sink {
  setHeld(isHeld: boolean): void
}

function createHeldSink(open: (onState: OnSinkState) => Sink, onState: OnSinkState, initiallyHeld: boolean): HeldSink {
  let isClosed = false
  let sink: Sink | undefined
  /** The one before may still be on its way out, and its server takes one of us. */
  let released = Promise.resolve()
  let isHeld = !initiallyHeld
  /** What a sink says that was released is of no interest any more. */
  let generation = 0

  async function openWhenReleased(): Promise<void> {
    await released
    if (isHeld || isClosed || sink) return
    const opened = generation
    sink = open((...state) => void (opened === generation && onState(...state)))
  }

  function release(): void {
    const last = sink
    sink = undefined
    generation += 1
    if (last) released = last.close()
  }

  function setHeld(wanted: boolean): void {
    if (wanted === isHeld || isClosed) return
    isHeld = wanted
    if (!isHeld) return void openWhenReleased()
    release()
    onState('waiting', HELD)
  }

  setHeld(initiallyHeld)
  return {
    setHeld,
    write: (picture) => sink?.write(picture),
    async close() {
      isClosed = true
      release()
      await released
    },
  }
}
