import { type MediaPorts } from '../core/service-ports.ts'

/** A way to our media server. */
export interface MediaEndpoint {
  readonly scheme: 'rtsp' | 'rtsps' | 'rtmp' | 'rtmps'
  readonly port: number
}

/** The ways by one protocol. */
export interface MediaEndpoints {
  /** The one that we hand out: encrypted where there is a certificate. */
  readonly preferred: MediaEndpoint
  /** The unencrypted one, where it is open beside that. */
  readonly plain: MediaEndpoint | undefined
}

export function endpointsOf(protocol: 'rtsp' | 'rtmp', ports: MediaPorts): MediaEndpoints {
  const [plainPort, tlsPort] = [ports[`${protocol}Port`], ports[`${protocol}sPort`]]
  const plain = plainPort === undefined ? undefined : { scheme: protocol, port: plainPort }
  // The settings see to it that one of the two is open.
  if (tlsPort === undefined) return { preferred: plain!, plain: undefined }
  return { preferred: { scheme: `${protocol}s`, port: tlsPort }, plain }
}

/** For what stays on this machine, where nobody else hears it: without encryption if that port is open. */
export function localEndpoint({ preferred, plain }: MediaEndpoints): MediaEndpoint {
  return plain ?? preferred
}

/** `host` may have a user and a password before it. */
export function endpointUrl({ scheme, port }: MediaEndpoint, host: string): string {
  return `${scheme}://${host}:${port}`
}

/** What is configured, until the media server says where it listens: port 0 is any that is free. */
export interface KnownMediaPorts {
  readonly current: MediaPorts
  set(ports: MediaPorts): void
}

export function createMediaPorts({ rtspPort, rtmpPort, rtspsPort, rtmpsPort }: MediaPorts): KnownMediaPorts {
  let current: MediaPorts = { rtspPort, rtmpPort, rtspsPort, rtmpsPort }
  return {
    get current() {
      return current
    },
    set: (ports) => void (current = ports),
  }
}

/** Those that are open. */
export function openPorts(ports: MediaPorts): number[] {
  const { rtspPort, rtmpPort, rtspsPort, rtmpsPort } = ports
  return [rtspPort, rtmpPort, rtspsPort, rtmpsPort].filter((port) => port !== undefined)
}
