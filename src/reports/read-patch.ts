import { rounded } from '../core/numbers.ts'
import { type PictureFiles } from './picture-files.ts'
import { type Patch } from './report.ts'
import { type PatchRow } from './track-search.ts'

/** The picture of a track. A damaged one is as good as gone. */
export async function readPatch(
  files: Pick<PictureFiles, 'read'>,
  { file, confidence, taken_at }: PatchRow,
): Promise<Patch | undefined> {
  const jpeg = await files.read(file)
  if (!jpeg || !isWholeJpeg(jpeg)) return undefined
  return { jpeg, confidence: rounded(confidence * 100, 2), takenAt: taken_at }
}

/** It begins and ends as a JPEG does (ITU-T T.81, B.1.1.3): what a full disk or a power cut left does not. */
function isWholeJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8 && bytes.readUInt16BE(bytes.length - 2) === 0xffd9
}
