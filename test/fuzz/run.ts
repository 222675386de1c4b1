import { fuzzRtmp } from './rtmp.ts'
import { fuzzRtmpPlayer } from './rtmp-player.ts'
import { fuzzRtsp } from './rtsp.ts'

const [seconds = 60, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
for (const [name, fuzz] of Object.entries({ rtsp: fuzzRtsp, rtmp: fuzzRtmp, 'rtmp player': fuzzRtmpPlayer })) {
  console.log(`${name} for ${seconds} s with seed ${seed} …`)
  await fuzz(seconds, seed)
}
console.log('No crash, no hang, no growth.')
