import { rounded } from '../core/numbers.ts'
import { type ReportTrack } from './report.ts'
import { type ReportFormat } from './report-writer.ts'

/**
 * MOTChallenge result lines, `frame,id,x,y,width,height,confidence,-1,-1,-1`, track after track. The frame's number counts
 * the frames that the process looked at, from 1: in a file every frame, in a live stream those that it had time for.
 * Coordinates are in pixels of the input from its top left corner, the confidence goes from 0 to 1.
 */
export const motReport: ReportFormat = {
  mediaType: 'text/plain; charset=utf-8',
  extension: 'txt',
  wantsBoxes: true,
  wantsPlaces: false,
  async *write({ tracks }) {
    for await (const track of tracks) yield linesOf(track)
  },
}

export function linesOf({ trackId, boxes = [], confidences }: ReportTrack): string {
  return boxes
    .map(([frame, x, y, width, height], index) => {
      const confidence = rounded(confidences[index]! / 100, 4)
      return `${frame},${trackId},${x},${y},${width},${height},${confidence},-1,-1,-1\n`
    })
    .join('')
}
