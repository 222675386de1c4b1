import { type Readable } from 'node:stream'
import { type Account } from '../../core/account.ts'
import { type Stretch } from '../../core/recorded-time.ts'

/** What a package of evidence is made of, as it needs it of others. */

/** A clip that is there, or will be. */
export interface EvidenceClip extends Stretch {
  readonly id: string
  readonly accountId: string
  readonly sourceId: string
  /** Null once the source is removed. */
  readonly sourceAlias: string | null
  readonly alias: string
  readonly state: string
  /** The node that has its files; null in a service of one node. */
  readonly nodeId: string | null
  readonly parts: readonly EvidencePart[]
  /** As it is shown, without links. */
  readonly record: object
}

export interface EvidencePart {
  readonly sizeBytes: number
  /** As hex digits, taken when it was cut. */
  readonly sha256: string
}

export interface EvidenceClips {
  /** Rejects with `clip-not-found`. */
  find(account: Pick<Account, 'id'>, clipId: string): Promise<EvidenceClip>
  /** A part, counted from 1, wherever it is. Rejects with `clip-not-found` where it is nowhere, and with `node-unreachable`. */
  open(clip: EvidenceClip, n: number, signal: AbortSignal): Promise<Readable>
}

export interface EvidenceReports {
  listProcesses(owner: Pick<Account, 'id'>, sourceId: string, stretch: Stretch): Promise<readonly string[]>
  exportTracks(
    owner: Account,
    processId: string,
    stretch: Stretch,
    format: 'json' | 'geojson' | 'kml',
  ): AsyncIterable<string>
  pictures(
    owner: Account,
    processId: string,
    stretch: Stretch,
  ): AsyncIterable<{ readonly trackId: number; readonly jpeg: Buffer }>
}

/** How things were set, without secrets. */
export interface EvidenceSettings {
  /** Null once it is removed. Where it is reached, its owner alone sees. */
  source(caller: Pick<Account, 'id'>, owner: Pick<Account, 'id'>, sourceId: string): Promise<object | null>
  process(owner: Pick<Account, 'id'>, processId: string): Promise<object>
  /** Those that look at this source. */
  alerts(owner: Pick<Account, 'id'>, sourceId: string): Promise<readonly object[]>
}
