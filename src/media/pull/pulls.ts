import { type Clock } from '../../core/clock.ts'
import { ownerOfPath } from '../../core/media-path.ts'
import { dialAddress } from '../../outbound/dial.ts'
import { createSharedResolver } from '../../outbound/resolve.ts'
import { type Hub } from '../hub.ts'
import { type PullOrder, type PullState } from '../messages.ts'
import { createPull, type Pull } from './pull.ts'
import { type ReadCamera, type ReadingOptions } from './reading.ts'
import { readRtmpCamera } from './rtmp-reading.ts'
import { readRtspCamera } from './rtsp-reading.ts'

/** The cameras that we call, by the paths under which they are published. */
export interface Pulls {
  set(path: string, order: PullOrder): void
  remove(path: string): void
  /** Connects the camera of this path if need be; undefined for a path that is no camera's. */
  wake(path: string): Promise<void> | undefined
  close(): void
}

export interface PullsDeps {
  readonly hub: Pick<Hub, 'publish' | 'readerCount'>
  readonly onState: (path: string, state: PullState) => void
  readonly log: ReadingOptions['log']
  readonly clock: Clock
}

export function createPulls({ hub, onState, log, clock }: PullsDeps): Pulls {
  const pulls = new Map<string, { readonly pull: Pull; readonly order: PullOrder }>()
  const resolver = createSharedResolver({ clock })

  function open(path: string, order: PullOrder): Pull {
    const credentials = { kind: 'token', token: order.token } as const
    const resolve = resolver.for(ownerOfPath(path))
    return createPull({
      order,
      publish: () => hub.publish(path, { credentials, remoteAddress: '127.0.0.1', protocol: protocolOf(order.url) }),
      read: readers[protocolOf(order.url)],
      dial: (hostname, port) => dialAddress(hostname, port, order.outbound, resolve),
      log,
      readers: () => hub.readerCount(path),
      onState: (state) => onState(path, state),
      clock,
    })
  }

  return {
    set(path, order) {
      const known = pulls.get(path)
      if (known && isSameCamera(known.order, order)) {
        pulls.set(path, { ...known, order })
        return known.pull.setMode(order.mode)
      }
      known?.pull.close()
      pulls.set(path, { pull: open(path, order), order })
    },
    remove(path) {
      pulls.get(path)?.pull.close()
      pulls.delete(path)
    },
    wake: (path) => pulls.get(path)?.pull.waitUntilLive(),
    close: () => pulls.forEach(({ pull }) => pull.close()),
  }
}

/** Only in when it is connected do they differ. */
function isSameCamera(one: PullOrder, other: PullOrder): boolean {
  return JSON.stringify({ ...one, mode: '' }) === JSON.stringify({ ...other, mode: '' })
}

const protocolOf = (url: string): 'rtsp' | 'rtmp' => (/^rtmps?:/i.test(url) ? 'rtmp' : 'rtsp')

const readers: Readonly<Record<'rtsp' | 'rtmp', ReadCamera>> = { rtsp: readRtspCamera, rtmp: readRtmpCamera }
