import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { renderMasterPlaylist, renderMediaPlaylist, targetSecondsOf } from './playlist.ts'
import { type Format } from './remux.ts'
import { type SegmentWindow } from './segment-window.ts'

/** How many target durations a request may wait for what it asks (rfc8216bis §6.2.5.2). */
const WAIT_TARGETS = 3
/** Players give up on an answer after ten seconds, and would rather hear that it is not there yet. */
const MAX_WAIT_MS = 8_000
const MAX_CONNECTIONS = 1_000

interface Answer {
  readonly status: number
  readonly type?: string
  readonly cacheControl?: string
  readonly body?: readonly Buffer[]
}

const NOT_FOUND: Answer = { status: 404 }
const TOO_LATE: Answer = { status: 503 }
/** What is asked for will never come: the stream has ended. */
const OVER: Answer = { status: 410 }

/**
 * Serves playlists and pieces to the main process, which has authorized the viewer. The header `x-uri-query` is what each
 * address in a playlist is to carry.
 */
export interface HlsServer {
  /** Rejects with a sentence for viewers. */
  listen(socketPath: string): Promise<void>
  readonly isListening: boolean
  close(): Promise<void>
}

export function createHlsServer(window: SegmentWindow, format: () => Format | undefined): HlsServer {
  const server = createServer((request, response) => {
    answer(request).then(
      (found) => send(response, found),
      () => send(response, { status: 500 }),
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  return {
    async listen(socketPath) {
      try {
        server.listen(socketPath)
        await once(server, 'listening')
      } catch (error) {
        // The system's own words name a folder of this machine.
        const { code } = error as NodeJS.ErrnoException
        throw new Error(`Its process cannot listen for players (${code}).`, { cause: error })
      }
      // A connection that could not be accepted is lost, and its player asks again; all others go on.
      server.on('error', () => {})
    },
    get isListening() {
      return server.listening
    },
    async close() {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://worker')
    const query = String(request.headers['x-uri-query'] ?? '')
    const file = parseFileName(url.pathname.slice(1))
    switch (file?.kind) {
      case 'master':
        return playlist(renderMasterPlaylist({ ...format()!, bitsPerSecond: window.bitsPerSecond() }, query))
      case 'media':
        return mediaPlaylist(url.searchParams, query)
      case 'header':
        return file.run === window.listing().run ? media([format()!.header]) : NOT_FOUND
      case 'segment':
        return found(window.segment(file.sequence))
      case 'part':
        return part(file.sequence, file.part)
      default:
        return NOT_FOUND
    }
  }

  async function mediaPlaylist(search: URLSearchParams, query: string): Promise<Answer> {
    const sequence = wholeNumber(search.get('_HLS_msn'))
    const partNumber = wholeNumber(search.get('_HLS_part'))
    if (sequence === null || partNumber === null || (sequence === undefined && partNumber !== undefined))
      return { status: 400 }
    if (sequence !== undefined) {
      // A player that is more than a segment ahead is mistaken, not early.
      if (sequence > window.next.sequence + 1) return { status: 400 }
      if (!(await window.waitFor(sequence, partNumber, waitMs()))) return window.isClosed ? OVER : TOO_LATE
    }
    return playlist(renderMediaPlaylist({ ...window.listing(), discontinuity: format()!.discontinuity }, query))
  }

  async function part(sequence: number, number: number): Promise<Answer> {
    const { next } = window
    // Only what the playlist hinted at is worth waiting for.
    if (sequence === next.sequence && number === next.part) await window.waitFor(sequence, number, waitMs())
    const data = window.part(sequence, number)
    return found(data && [data])
  }

  function waitMs(): number {
    return Math.min(MAX_WAIT_MS, WAIT_TARGETS * 1000 * targetSecondsOf(window.listing()))
  }
}

function playlist(text: string): Answer {
  return { status: 200, type: 'application/vnd.apple.mpegurl', cacheControl: 'no-cache', body: [Buffer.from(text)] }
}

function media(body: readonly Buffer[]): Answer {
  return { status: 200, type: 'video/mp4', cacheControl: 'private, max-age=60', body }
}

function found(body: readonly Buffer[] | undefined): Answer {
  return body ? media(body) : NOT_FOUND
}

/** Undefined when it is not there, null when it is no number. */
function wholeNumber(text: string | null): number | undefined | null {
  if (text === null) return undefined
  return /^\d{1,12}$/.test(text) ? Number(text) : null
}

function send(response: ServerResponse, { status, type, cacheControl, body = [] }: Answer): void {
  response.writeHead(status, {
    'content-length': body.reduce((sum, { length }) => sum + length, 0),
    ...(type && { 'content-type': type }),
    ...(cacheControl && { 'cache-control': cacheControl }),
  })
  for (const piece of body) response.write(piece)
  response.end()
}

/** What a file name below a path's HLS address means. */
type HlsFile =
  | { readonly kind: 'master' }
  | { readonly kind: 'media' }
  | { readonly kind: 'header'; readonly run: number }
  | { readonly kind: 'segment'; readonly sequence: number }
  | { readonly kind: 'part'; readonly sequence: number; readonly part: number }

/** Undefined for every name that we don't give. */
export function parseFileName(name: string): HlsFile | undefined {
  if (name === 'index.m3u8') return { kind: 'master' }
  if (name === 'stream.m3u8') return { kind: 'media' }
  const header = /^init-(\d{1,12})\.mp4$/.exec(name)
  if (header) return { kind: 'header', run: Number(header[1]) }
  const piece = /^(\d{1,12})(?:\.(\d{1,4}))?\.m4s$/.exec(name)
  if (!piece) return undefined
  const sequence = Number(piece[1])
  return piece[2] === undefined ? { kind: 'segment', sequence } : { kind: 'part', sequence, part: Number(piece[2]) }
}
