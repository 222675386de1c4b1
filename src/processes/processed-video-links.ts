import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type KeptFile } from '../core/kept-file.ts'
import { FILE_LINK_MS, type LinkSigner } from '../core/signed-token.ts'
import { type ProcessedVideoFolder } from './processed-video-folder.ts'

/** Links to processed video that work by themselves in a browser, which can't send a key. */
export interface ProcessedVideoLinks {
  /** One for each file, the oldest first; none when nothing was kept. */
  list(baseUrl: string, processId: string): Promise<string[]>
  /** Whether the token is for this file: whoever has no link of ours costs no look-up. */
  isValid(processId: string, name: string, token: string): boolean
  /** The node that has a file, which another than that of its process may be. */
  nodeOf(processId: string, name: string, token: string): Promise<string | undefined>
  /** Rejects when the token is not for this file, or the key of its process is gone. */
  findFile(processId: string, name: string, token: string): Promise<KeptFile>
}

export function createProcessedVideoLinks({
  videos,
  signer,
  hasKey,
  clock,
}: {
  videos: Pick<ProcessedVideoFolder, 'filesOf' | 'keptFile' | 'nodeOf'>
  signer: LinkSigner
  /** Whether the key whose process this was still counts. */
  hasKey: (processId: string) => Promise<boolean>
  clock: Clock
}): ProcessedVideoLinks {
  const subjectOf = (processId: string, name: string) => `processed-video ${processId}/${name}`

  const isValid = (processId: string, name: string, token: string) =>
    signer.isValid(subjectOf(processId, name), token, clock.now())

  return {
    async list(baseUrl, processId) {
      const expiresAtMs = clock.now() + FILE_LINK_MS
      return (await videos.filesOf(processId)).map(
        (name) =>
          `${baseUrl}/process/${processId}/video/${name}?token=${signer.sign(subjectOf(processId, name), expiresAtMs)}`,
      )
    },
    isValid,
    async nodeOf(processId, name, token) {
      return isValid(processId, name, token) ? videos.nodeOf(processId, name) : undefined
    },
    async findFile(processId, name, token) {
      if (!isValid(processId, name, token) || !(await hasKey(processId))) throw new AppError('link-expired')
      return videos.keptFile(processId, name)
    },
  }
}
