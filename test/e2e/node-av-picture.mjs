/**
 * Writes the picture that is shown so many seconds after the beginning, as the FFmpeg 8 of node-av seeks to it: its width (4 bytes,
 * little-endian), and its brightness. Unlike Debian's it seeks in playlists of MP4.
 *
 *   node node-av-picture.mjs URL SECONDS
 */
import { writeFileSync } from 'node:fs'

Promise.withResolvers ??= function () {
  let resolve, reject
  const promise = new Promise((...both) => ([resolve, reject] = both))
  return { promise, resolve, reject }
}
const { Decoder, Demuxer, Log } = await import('node-av')
const { AV_LOG_ERROR, AVSEEK_FLAG_BACKWARD } = await import('node-av/constants')
Log.setLevel(AV_LOG_ERROR)

const [url, seconds] = process.argv.slice(2)
const input = await Demuxer.open(url)
const video = input.video()
const wanted = Number(input.getFormatContext().startTime) / 1e6 + Number(seconds)
await input.seek(wanted, -1, AVSEEK_FLAG_BACKWARD)
const decoder = await Decoder.create(video)
const { num, den } = video.timeBase
for await (const frame of decoder.frames(input.packets(video.index))) {
  if (!frame) break
  // The one that is on the screen by then, or comes next.
  const endsAt = ((Number(frame.pts) + Number(frame.duration || 1n)) * num) / den
  if (endsAt > wanted) {
    write(frame)
    break
  }
  frame.free()
}
process.exit(0)

function write({ width, height, data, linesize }) {
  const head = Buffer.alloc(4)
  head.writeUInt32LE(width)
  const rows = Array.from({ length: height }, (_, row) =>
    data[0].subarray(row * linesize[0], row * linesize[0] + width),
  )
  writeFileSync(1, Buffer.concat([head, ...rows]))
}
