import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { type DetectionFileStore } from './detection-files.store.ts'
import { type DetectionRecorder } from './detection-recorder.ts'
import { blocksWithin, type LookBlock, looksOf } from './look-files.ts'

export interface LooksQuestion {
  readonly sourceId: string
  readonly processId?: string | undefined
  readonly stretch: Stretch
  readonly signal: AbortSignal
}

export interface LookOfProcess {
  readonly processId: string
  readonly look: RecordedLook
}

/** Reads what was seen of a source, wherever it is kept. */
export interface DetectionReader {
  /** Oldest first, of all processes; what other nodes have is there before this resolves. */
  read(question: LooksQuestion): Promise<ReadDetections>
  /** The whole of a file, for another node that has asked with a token. Undefined where there is none. */
  readFile(id: string, token: string): Promise<Buffer | undefined>
}

export interface ReadDetections {
  /** Has an entry for some looks at a time; what breaks off is thrown. */
  readonly looks: AsyncIterable<readonly LookOfProcess[]>
  /** Nodes that could not be asked. */
  readonly missingNodes: readonly string[]
}

export interface DetectionReaderDeps {
  readonly store: Pick<DetectionFileStore, 'list' | 'find'>
  readonly recorder: Pick<DetectionRecorder, 'flush'>
  readonly places: Pick<FilePlaces, 'read'>
  readonly node: OwnNode | null
  /** Undefined in a service of one node. */
  readonly nodeFiles: NodeFiles | undefined
  readonly signer: LinkSigner
  readonly clock: Clock
}

interface BlockOfProcess extends LookBlock {
  readonly processId: string
}

/** Blocks of a file that is on another node, or a file that is read when it is its turn. */
interface FoundFile {
  readonly startedAt: number
  open(): Promise<readonly BlockOfProcess[]>
}

/** For a node to ask another one with. */
const TOKEN_MS = 60_000
const subjectOf = (id: string) => `looks ${id}`

export function createDetectionReader(deps: DetectionReaderDeps): DetectionReader {
  const { store, recorder, places, node, nodeFiles, signer, clock } = deps

  function toBlocks(file: Buffer | undefined, { process_id: processId }: DetectionFileRow, stretch: Stretch) {
    return file ? blocksWithin(file, stretch).map((block) => ({ ...block, processId })) : []
  }

  /** What is in the store needs no node; one that did not answer is not asked again. */
  async function readElsewhere(
    { id, file, node_id: nodeId }: DetectionFileRow,
    missing: ReadonlySet<string>,
    signal: AbortSignal,
  ) {
    const stored = await places.read(file)
    if (stored || nodeId === null || !nodeFiles || missing.has(nodeId)) return stored
    const token = signer.sign(subjectOf(id), clock.now() + TOKEN_MS)
    const body = await nodeFiles.open(nodeId, `/recorded_detections/${id}?token=${token}`, signal)
    return body && buffer(body)
  }

  /** Of this machine's disk one after the other, as they are needed; of other nodes at once, so that it is known which are missing. */
  async function find({ sourceId, processId, stretch, signal }: LooksQuestion) {
    // What waits in memory here.
    await recorder.flush({ sourceId })
    const rows = await store.list(sourceId, stretch, processId)
    const missing = new Set<string>()
    const files: FoundFile[] = []
    for (const row of rows) {
      if (row.node_id === (node?.id ?? null)) {
        const open = async () => toBlocks(await places.read(row.file), row, stretch)
        files.push({ startedAt: row.started_at, open })
        continue
      }
      try {
        const blocks = toBlocks(await readElsewhere(row, missing, signal), row, stretch)
        files.push({ startedAt: row.started_at, open: async () => blocks })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'node-unreachable') throw error
        missing.add(row.node_id!)
      }
    }
    return { files, missingNodes: [...missing].sort() }
  }

  return {
    async read(question) {
      const { files, missingNodes } = await find(question)
      return { looks: inOrder(files, question.stretch, question.signal), missingNodes }
    },
    async readFile(id, token) {
      if (!signer.isValid(subjectOf(id), token, clock.now())) throw new AppError('link-expired')
      const row = await store.find(id)
      if (!row) return undefined
      await recorder.flush({ processId: row.process_id })
      return places.read(row.file)
    },
  }
}

const byTime = (a: BlockOfProcess, b: BlockOfProcess) => a.firstAtMs - b.firstAtMs
const byTakenAt = (a: LookOfProcess, b: LookOfProcess) => a.look.takenAtMs - b.look.takenAtMs

/** Several processes, and one whose clock was set back, lie beside each other: of each no more is held than what overlaps. */
async function* inOrder(
  files: readonly FoundFile[],
  { from, to }: Stretch,
  signal: AbortSignal,
): AsyncGenerator<readonly LookOfProcess[], void> {
  const unread = [...files]
  const blocks: BlockOfProcess[] = []
  let ready: LookOfProcess[] = []
  for (;;) {
    signal.throwIfAborted()
    const nextFileAt = unread[0]?.startedAt ?? Infinity
    const nextBlockAt = blocks[0]?.firstAtMs ?? Infinity
    const until = Math.min(nextFileAt, nextBlockAt)
    const whole = ready.filter(({ look }) => look.takenAtMs < until)
    if (whole.length > 0) {
      ready = ready.slice(whole.length)
      yield whole
    } else if (until === Infinity) return
    else if (nextFileAt <= nextBlockAt) {
      blocks.push(...(await unread.shift()!.open()))
      blocks.sort(byTime)
    } else {
      const { processId, ...block } = blocks.shift()!
      const looks = (await looksOf(block)).filter(({ takenAtMs }) => takenAtMs >= from && takenAtMs < to)
      ready = [...ready, ...looks.map((look) => ({ processId, look }))].sort(byTakenAt)
      await nextTurn()
    }
  }
}
