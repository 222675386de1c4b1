import { type FromWorker } from './messages.ts'

/** Warns why the feed or the preview has no picture: once for each reason in a row, not once a picture. Null is no reason. */
export function createNoPictureWarning(
  what: 'feed' | 'preview',
  send: (message: FromWorker) => void,
): (why: string | null) => void {
  let latest: string | undefined
  return (why) => {
    if (why === null || why === latest) return
    latest = why
    send({ type: 'warning', sentence: `The ${what} has no picture: ${why}` })
  }
}
