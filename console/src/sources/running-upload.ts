import { signal } from '@preact/signals'
import { sentenceOf, withSession } from '../ask.ts'
import { whoami } from '../session.ts'
import { uploadVideo } from './upload.ts'

/** One upload at a time. It goes on while other pages are looked at, so it belongs to none of them. */
export const sentShare = signal<number | undefined>(undefined)
export const uploadProblem = signal('')
/** The name of the last file that came through. */
export const uploadedName = signal('')
let cancelling: AbortController | undefined

export async function startUpload(file: File): Promise<void> {
  if (cancelling) return
  const mine = (cancelling = new AbortController())
  forgetOutcome()
  sentShare.value = 0
  try {
    await withSession(uploadVideo(file, (share) => (sentShare.value = share), mine.signal))
    uploadedName.value = file.name
  } catch (error) {
    if (!mine.signal.aborted) uploadProblem.value = sentenceOf(error)
  } finally {
    cancelling = undefined
    sentShare.value = undefined
  }
}

export function cancelUpload(): void {
  cancelling?.abort()
}

export function forgetOutcome(): void {
  uploadProblem.value = ''
  uploadedName.value = ''
}

// The next one at this browser may be somebody else.
let owner: string | undefined
whoami.subscribe((who) => {
  if (who === undefined || who?.username === owner) return
  cancelUpload()
  forgetOutcome()
  owner = who?.username
})
