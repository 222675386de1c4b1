import { type MediaPorts } from '../core/service-ports.ts'

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
