import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError } from '../core/errors.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type RecordedFile } from '../core/recorded-time.ts'
import { createSharedPlaces } from '../core/shared-places.ts'
import { FragmentFault } from '../media/mp4/fragment-splitter.ts'
import { type Mp4Header, readMp4Header } from '../media/mp4/mp4-header.ts'
import { shiftFragments } from '../media/mp4/shift-fragments.ts'
import { toTransportStream } from '../media/mpegts/ts-transform.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type PieceName } from './piece-name.ts'
import { readInit } from './read-init.ts'
import { type RecordedFileStore } from './recorded-files.store.ts'
import { type VodTicket, type VodTokens } from './vod-token.ts'
import { shareOf, type VodViewers } from './vod-viewers.ts'

export interface PiecesDeps {
  readonly files: Pick<RecordedFileStore, 'find'>
  readonly sources: { findById(id: string): Promise<{ readonly mediaPath: string | null } | undefined> }
  readonly tokens: Pick<VodTokens, 'read'>
  readonly viewers: Pick<VodViewers, 'mayWatch'>
  readonly places: Pick<FilePlaces, 'kept'>
  readonly node: OwnNode | null
}

export interface PieceRequest {
  readonly piece: PieceName
  readonly token: string
  /** The viewer's. */
  readonly address: string
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal
}

export interface PieceAnswer {
  readonly type: 'video/mp4' | 'video/mp2t'
  readonly body: Readable
}

/** What the addresses in a playlist lead to: some groups of pictures of a file, with the times that they have in it. */
export interface Pieces {
  /** The node that alone has the file; what is not asked for with a token of ours is looked for nowhere. */
  nodeOf(piece: PieceName, token: string): Promise<string | undefined>
  open(request: PieceRequest): Promise<PieceAnswer>
}

const MAX_AT_ONCE = 256
const MAX_AT_ONCE_OF_ONE = 32

export function createPieces({ files, sources, tokens, viewers, places, node }: PiecesDeps): Pieces {
  const turns = createSharedPlaces(MAX_AT_ONCE, MAX_AT_ONCE_OF_ONE)

  /** In this order: a stranger costs no look-up, and who lost the right learns of no file. */
  async function findAllowed({ piece, token, address }: PieceRequest): Promise<[RecordedFile, VodTicket]> {
    const ticket = tokens.read(token)
    if (!ticket) throw new AppError('viewing-expired')
    const file = await files.find(piece.fileId)
    // One of another source is none for this token.
    if (file?.sourceId !== ticket.sourceId) throw new AppError('recording-not-found')
    const path = (await sources.findById(ticket.sourceId))?.mediaPath ?? undefined
    if (path === undefined || !(await viewers.mayWatch(ticket.viewer, path, address)))
      throw new AppError('viewing-expired')
    return [file, ticket]
  }

  /** Of the disk, or else of the store; always through us, since players fetch pieces by scripts. */
  async function read(file: RecordedFile, range: ByteRange, signal: AbortSignal): Promise<Readable> {
    const kept = places.kept(file.file)
    const found = await stat(kept.path).catch(() => undefined)
    const stored = found ? undefined : await kept.inStore()
    const sizeBytes = found?.size ?? stored?.sizeBytes
    if (sizeBytes === undefined) throw new AppError('recording-not-found')
    if (range.fromByte >= sizeBytes) throw new AppError('range-not-satisfiable')
    const last = Math.min(range.toByte, sizeBytes) - 1
    if (!stored) return createReadStream(kept.path, { start: range.fromByte, end: last, signal })
    return (await stored.open({ range: `bytes=${range.fromByte}-${last}`, signal })).body
  }

  async function initOf(file: RecordedFile, signal: AbortSignal): Promise<Buffer> {
    const init = await readInit((toByte) => read(file, { fromByte: 0, toByte }, signal), file.index?.init)
    if (!init) throw new AppError('recording-not-found')
    return init
  }

  async function headerOf(file: RecordedFile, signal: AbortSignal): Promise<Mp4Header> {
    const header = readMp4Header(await initOf(file, signal))
    if (!header) throw new AppError('recording-not-found')
    return header
  }

  async function make(file: RecordedFile, { piece, signal }: PieceRequest): Promise<PieceAnswer> {
    if (piece.kind === 'init')
      return { type: 'video/mp4', body: Readable.from([await initOf(file, signal)], { objectMode: false }) }
    const timescales = file.index?.tracks ?? (await headerOf(file, signal)).tracks
    const header = piece.kind === 'ts' ? await headerOf(file, signal) : undefined
    const source = await read(file, piece, signal)
    const shiftOf = (trackId: number) => ticksOf(piece.baseMs, timescales.find(({ id }) => id === trackId)?.timescale)
    const made = header ? toTransportStream(source, header, piece.baseMs) : shiftFragments(source, shiftOf)
    return { type: header ? 'video/mp2t' : 'video/mp4', body: await begun(made, source) }
  }

  return {
    async nodeOf({ fileId }, token) {
      const ticket = tokens.read(token)
      const file = ticket && (await files.find(fileId))
      if (!file || file.nodeId === null || file.nodeId === node?.id || file.sourceId !== ticket.sourceId)
        return undefined
      return (await places.kept(file.file).inStore()) ? undefined : file.nodeId
    },
    async open(request) {
      const [file, { viewer }] = await findAllowed(request)
      // Of who plays, and not of whose it is: one who takes its time must not keep the owner from its own.
      const giveBack = turns.take(shareOf(viewer, file.accountId))
      if (!giveBack)
        throw new AppError(
          'stream-not-watchable',
          { path: 'The recording', reason: TOO_MANY },
          { retryAfterSeconds: 1 },
        )
      try {
        const answer = await make(file, request)
        answer.body.once('close', giveBack)
        return answer
      } catch (error) {
        giveBack()
        throw toRefusal(error)
      }
    },
  }
}

interface ByteRange {
  readonly fromByte: number
  readonly toByte: number
}

const TOO_MANY = 'As many pieces of recordings are being sent as may be at once.'

function ticksOf(ms: number, timescale = 0): bigint {
  return BigInt(Math.round((ms * timescale) / 1000))
}

/** Only once its first bytes are there is it known that it can be made, and the answer may still be another. */
async function begun(made: AsyncGenerator<Buffer, void>, source: Readable): Promise<Readable> {
  const first = await made.next().catch((error: unknown) => {
    source.destroy()
    throw error
  })
  if (first.done) throw new FragmentFault('no fragment')
  async function* all() {
    yield first.value as Buffer
    yield* made
  }
  return Readable.from(all(), { objectMode: false })
}

/** What is gone, or was never there, such as bytes that somebody has made up. */
function toRefusal(error: unknown): unknown {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof FragmentFault
  return isMissing ? new AppError('recording-not-found', {}, { cause: error }) : error
}
