import { createHash } from 'node:crypto'

/** In hexadecimal digits. */
export const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')
