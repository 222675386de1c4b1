import { type Readable } from 'node:stream'

/** A file of ours that may be on the disk, in the object store, or both. */
export interface KeptFile {
  /** Where it is on the disk, if it is there. */
  readonly path: string
  /** For one that is not on the disk; undefined where it is not in the store either. */
  inStore(): Promise<StoredFile | undefined>
}

/** The same in the store. What the store does not give rejects with an `AppError` that says why. */
export interface StoredFile {
  readonly sizeBytes: number
  /** A link to the store itself that works for a short time; undefined where clients get files through us. */
  link(shown: ShownFile): Promise<string | undefined>
  /** The whole of it, or the range that is asked for. */
  open(request: StoredFileRequest): Promise<StoredContent>
}

/** What a client is told of a file by the store. */
export interface ShownFile {
  readonly contentType: string
  readonly downloadName: string
}

export interface StoredFileRequest {
  /** As in HTTP: `bytes=0-99`. */
  readonly range?: string | undefined
  readonly ifMatch?: string | undefined
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal
}

export interface StoredContent {
  readonly status: 200 | 206
  /** What HTTP says of its length, range and version. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
}
