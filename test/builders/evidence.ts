import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createEvidenceService, type EvidenceDeps } from '../../src/clips/evidence/evidence.service.ts'
import { type EvidenceClip, type EvidenceClips } from '../../src/clips/evidence/evidence-sources.ts'
import { type Account } from '../../src/core/account.ts'
import { AppError } from '../../src/core/errors.ts'
import { createFakeClock } from './fake-clock.ts'
import { each, signingKey } from './evidence-package.ts'
import { jpegOf } from './report.ts'

export const SOURCE = '00000000-0000-7000-8000-00000000000a'
export const clipId = (n: number) => `00000000-0000-7000-8000-00000000000${n}`

const contentOf = (id: string, n: number) => Buffer.from(`pictures of part ${n} of ${id}`)

/** A clip whose parts are texts. */
export function anEvidenceClip(n: number, change: Partial<EvidenceClip> = {}, parts = 1): EvidenceClip {
  const id = clipId(n)
  const from = Date.parse('2026-11-16T03:00:12.500Z')
  return {
    id,
    accountId: 'ada',
    sourceId: SOURCE,
    sourceAlias: 'Tor/Süd',
    alias: 'night',
    state: 'ready',
    nodeId: null,
    record: { clip_uuid: id, alias: 'night' },
    from,
    to: from + 10_000,
    parts: Array.from({ length: parts }, (_, index) => {
      const content = contentOf(id, index + 1)
      return { sizeBytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    }),
    ...change,
  }
}

/** Clips in memory, which a test may take away. */
export function createEvidenceClips(
  ...all: EvidenceClip[]
): EvidenceClips & { remove(id: string): void; opened: Readable[] } {
  const clips = new Map(all.map((clip) => [clip.id, clip]))
  const opened: Readable[] = []
  return {
    opened,
    remove: (id) => void clips.delete(id),
    async find(account, id) {
      const clip = clips.get(id)
      if (clip?.accountId !== account.id) throw new AppError('clip-not-found', { clip_uuid: id })
      return clip
    },
    async open({ id }, n) {
      const file = Readable.from([contentOf(id, n)])
      opened.push(file)
      return file
    },
  }
}

export function createEvidenceRig(clips: EvidenceClips, change: Partial<EvidenceDeps> = {}) {
  return createEvidenceService({
    clips,
    key: signingKey,
    rights: { ownerFor: async (caller) => caller },
    reports: {
      listProcesses: async () => ['p1'],
      exportTracks: (_owner, processId, { from }, format) => each([`${format} of `, `${processId} from ${from}`]),
      pictures: () => each([{ trackId: 7, jpeg: jpegOf('seven') }]),
    },
    settings: {
      source: async (_caller, _owner, sourceId) => ({ source_uuid: sourceId }),
      process: async (_owner, processId) => ({ process_uuid: processId, model: 'small' }),
      alerts: async () => [{ alias: 'fence' }],
    },
    versions: () => ({ service: '0.2.0' }),
    serviceVersion: '0.2.0',
    clock: createFakeClock(Date.parse('2026-11-17T08:00:00Z')),
    ...change,
  })
}

export const ada = { id: 'ada', username: 'ada' } as Account
