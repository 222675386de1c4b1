export interface ChunkLimits {
  readonly maxMessageBytes: number
  /** What all unfinished messages together may hold. */
  readonly maxPendingBytes: number
  readonly maxChunkStreams: number
}

export const CHUNK_LIMITS: ChunkLimits = {
  maxMessageBytes: 8 * 1024 * 1024,
  maxPendingBytes: 16 * 1024 * 1024,
  maxChunkStreams: 64,
}

/** Until the client is authorized: commands are small. */
export const CHUNK_LIMITS_BEFORE_ACCEPTANCE: ChunkLimits = { ...CHUNK_LIMITS, maxPendingBytes: 64 * 1024 }
