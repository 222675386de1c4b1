import { root } from '../service.ts'

/** A stream that plays by WebRTC. */
export interface WhepSession {
  readonly stream: MediaStream
  /** How long the browser should hold pictures back. */
  readonly setDelay: (ms: number) => void
  /** Resolves when nothing comes any more. */
  readonly ended: Promise<void>
  stop(): void
}

/** The service has answered, and will not. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, sentence: string) {
    super(sentence)
    this.status = status
  }
}

const CONNECT_MS = 4_000
const SILENT_MS = 4_000

/**
 * Reads a path of the media server by WHEP; rejects when there is no way through. Whoever lets go while the service answers is
 * not heard before the answer is there: only then it is known what to take leave of.
 */
export async function openWhep(path: string, signal: AbortSignal): Promise<WhepSession> {
  signal.throwIfAborted()
  const connection = new RTCPeerConnection()
  let session: string | undefined
  let isStopped = false
  const stop = () => {
    if (isStopped) return
    isStopped = true
    const close = () => connection.close()
    // The goodbye first, since a connection that is closed ends the session as well.
    if (session) void sayGoodbye(session).then(close, close)
    else close()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { receiver } = connection.addTransceiver('video', { direction: 'recvonly' })
    await connection.setLocalDescription()
    const response = await fetch(`${root}/webrtc/${path}/whep`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: connection.localDescription!.sdp,
    })
    if (!response.ok) throw new Refused(response.status, await detailOf(response))
    const address = new URL(response.headers.get('location')!, response.url).href
    if (isStopped) await sayGoodbye(address)
    else session = address
    signal.throwIfAborted()
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() })
    await connected(connection, signal)
    return {
      stream: new MediaStream([receiver.track]),
      setDelay: (ms) => void ('jitterBufferTarget' in receiver && (receiver.jitterBufferTarget = ms)),
      ended: ended(connection, signal),
      stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** A page that is closed says none: its connection ends with it. An answer that nobody reads would count as broken off. */
async function sayGoodbye(session: string): Promise<void> {
  const response = await fetch(session, { method: 'DELETE' })
  await response.arrayBuffer()
}

async function detailOf(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string }
  return problem.detail ?? `The service answered ${response.status}.`
}

/** A connection that we close ourselves says nothing of it: the signal does. */
function connected(connection: RTCPeerConnection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer)
      reject(new Error('WebRTC does not get through to the service.'))
    }
    const timer = setTimeout(fail, CONNECT_MS)
    signal.addEventListener('abort', fail, { once: true })
    const look = () => {
      if (!['connected', 'failed', 'closed'].includes(connection.connectionState)) return
      clearTimeout(timer)
      if (connection.connectionState === 'connected') resolve()
      else fail()
    }
    connection.addEventListener('connectionstatechange', look)
    if (signal.aborted) fail()
    else look()
  })
}

/** The server reports every second; the browser itself takes long to find its silence odd. */
function ended(connection: RTCPeerConnection, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let bytes = -1
    let heardAt = performance.now()
    const timer = setInterval(() => void look(), 1000)
    const finish = () => {
      clearInterval(timer)
      resolve()
    }
    signal.addEventListener('abort', finish, { once: true })
    async function look(): Promise<void> {
      if (['failed', 'closed', 'disconnected'].includes(connection.connectionState)) return finish()
      for (const stat of (await connection.getStats()).values() as Iterable<{ type: string; bytesReceived?: number }>) {
        if (stat.type !== 'inbound-rtp' || stat.bytesReceived === undefined) continue
        if (stat.bytesReceived !== bytes) heardAt = performance.now()
        bytes = stat.bytesReceived
      }
      if (performance.now() - heardAt > SILENT_MS) finish()
    }
  })
}
