/**
 * Publishes a file by RTMP, or decodes a stream and prints how many frames it had, with the FFmpeg 8 of node-av: unlike
 * Debian's it knows enhanced RTMP. A process of its own, because closing a muxer leaves its connection open until the process ends.
 *
 *   node node-av-rtmp.mjs publish FILE URL | decode URL FRAMES
 */
Promise.withResolvers ??= function () {
  let resolve, reject
  const promise = new Promise((...both) => ([resolve, reject] = both))
  return { promise, resolve, reject }
}
const { Decoder, Demuxer, Log, Muxer } = await import('node-av')
const { AV_LOG_ERROR } = await import('node-av/constants')
Log.setLevel(AV_LOG_ERROR)

const [action, ...values] = process.argv.slice(2)
await (action === 'publish' ? publish(...values) : decode(...values))
process.exit(0)

async function publish(file, url) {
  const input = await Demuxer.open(file)
  const output = await Muxer.open(url, { format: 'flv', input })
  const video = input.video()
  const track = output.addStream(video)
  const startedAt = performance.now()
  for await (const packet of input.packets(video.index)) {
    if (!packet) break
    const { num, den } = video.timeBase
    const dueMs = startedAt + (Number(packet.dts) * num * 1000) / den - performance.now()
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs))
    await output.writePacket(packet, track)
    packet.free()
  }
}

async function decode(url, frameLimit) {
  const input = await Demuxer.open(url, { options: { rw_timeout: 5_000_000, analyzeduration: 500_000 } })
  const video = input.video()
  const decoder = await Decoder.create(video)
  let frames = 0
  for await (const frame of decoder.frames(input.packets(video.index))) {
    if (!frame) break
    frame.free()
    if (++frames >= Number(frameLimit)) break
  }
  console.log(JSON.stringify({ frames, width: video.codecpar.width, height: video.codecpar.height }))
}
