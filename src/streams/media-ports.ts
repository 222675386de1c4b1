/** Where our media server listens. */
export interface MediaPorts {
  readonly rtspPort: number
  readonly rtmpPort: number
}

/** What is configured, until the media server says where it listens: port 0 is any that is free. */
export interface KnownMediaPorts {
  readonly current: MediaPorts
  set(ports: MediaPorts): void
}

export function createMediaPorts({ rtspPort, rtmpPort }: MediaPorts): KnownMediaPorts {
  let current: MediaPorts = { rtspPort, rtmpPort }
  return {
    get current() {
      return current
    },
    set: (ports) => void (current = ports),
  }
}
