import { connect } from 'node:net'

export interface TalkOptions {
  /** How long the server may take to its first answer, and between two: one that waits for the rest of a message says nothing. */
  readonly firstMs: number
  readonly quietMs: number
  /** What never ends is left after so long. */
  readonly maxMs: number
  /** Whether this was the last that is waited for. */
  readonly isLast?: (part: Buffer) => boolean
  readonly onFirst?: () => void
}

/** Says it all to a server on this machine, leaves when that has nothing more to say, and answers what came. */
export async function talk(port: number, bytes: Buffer, options: TalkOptions): Promise<Buffer> {
  const { firstMs, quietMs, maxMs, isLast = () => false, onFirst = () => {} } = options
  const socket = connect(port, '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  const leave = () => socket.destroy()
  const giveUp = setTimeout(leave, maxMs)
  let whenQuiet = setTimeout(leave, firstMs)
  const parts: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (part: Buffer) => {
    clearTimeout(whenQuiet)
    if (parts.push(part) === 1) onFirst()
    if (isLast(part)) leave()
    else whenQuiet = setTimeout(leave, quietMs)
  })
  socket.write(bytes)
  await closed
  clearTimeout(giveUp)
  clearTimeout(whenQuiet)
  return Buffer.concat(parts)
}

/** Throws when one of the answers, of HTTP or RTSP, is of 500 or above. */
export function checkStatuses(answers: Buffer): void {
  const text = answers.toString('latin1')
  const failed = /^(HTTP\/1\.1|RTSP\/1\.0) 5\d\d .*/m.exec(text)
  if (failed) throw new Error(text.slice(failed.index, failed.index + 1000))
}
